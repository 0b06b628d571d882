import java.util.ArrayList;
import java.util.List;
import mtoken.CallOptions;
import mtoken.Client;
import mtoken.MToken;
import mtoken.MTokenRuntime;
import mtoken.Pending;

/** A program that ends with 500 calls under way. */
final class Ending {
    private Ending() {
    }

    public static void main(String[] given) {
        if (given.length == 0) {
            System.out.println(MToken.version());
            return;
        }
        Client client = Hosts.client(MTokenRuntime.create(), given[0]);
        Client apart = client.withOptions(new CallOptions().timeoutMs(20_000));
        List<Pending<Void>> all = new ArrayList<>();
        for (int index = 0; index < 500; index++) {
            all.add(apart.synchronizeTime());
        }
        if (all.stream().anyMatch(Pending::isDone)) {
            throw new IllegalStateException("a call has ended");
        }
        switch (given[1]) {
            case "exit":
                System.exit(0);
                break;
            case "halt":
                Runtime.getRuntime().halt(0);
                break;
            default:
                break;
        }
    }
}
