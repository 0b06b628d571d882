import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import mtoken.ActivationOptions;
import mtoken.Auth;
import mtoken.Challenge;
import mtoken.ChallengeKind;
import mtoken.Client;
import mtoken.ClientOptions;
import mtoken.ErrorCode;
import mtoken.Event;
import mtoken.EventKind;
import mtoken.Events;
import mtoken.MTokenException;
import mtoken.MTokenRuntime;
import mtoken.MobileAuthErrorCode;
import mtoken.MobileAuthOptions;
import mtoken.MobileAuthOutcome;
import mtoken.Operation;
import mtoken.Pending;
import mtoken.RuntimeOptions;
import mtoken.Store;

/**
 * Challenges that a user walks away from: URL CA-FILE CONFIGURATION ACTIVATION-CODE OPERATION. The operation is pending afterwards; then
 * it is approved. Tests/python/packages/test_java_package.py runs it.
 */
final class Challenged {
    private static final byte[] KEY = "a biometry key..".getBytes(StandardCharsets.US_ASCII);

    private Challenged() {
    }

    /** A runtime with a client, which reads its events. */
    private static final class Phone {
        final MTokenRuntime runtime = MTokenRuntime.create(new RuntimeOptions().events(Set.of(Events.TASKS, Events.CHALLENGES)));
        final Client client;
        private final Collected events = new Collected();

        Phone(String[] given, Store store) {
            client = Client.create(runtime, new ClientOptions().id("phone").store(store).baseUrl(given[0]).caFile(given[1])
                .configuration(given[2]));
            runtime.events().subscribe(events);
        }

        Challenge next() {
            Event event = events.next();
            check(event.kind() == EventKind.CHALLENGE, "an event " + event.kind());
            return event.takeChallenge();
        }
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static MTokenException fails(Runnable action) {
        try {
            action.run();
        } catch (MTokenException error) {
            return error;
        }
        throw new AssertionError("it did not fail");
    }

    private static void checkEnded(Pending<MobileAuthOutcome> handling) {
        MTokenException error = fails(handling::waitFor);
        check("action_cancelled".equals(error.reason()), error.toString());
        check(handling.task().mobileAuth().error() == MobileAuthErrorCode.ACTION_CANCELLED, "another outcome");
    }

    /** Shown and closed, it ends the handling at once: another one may begin. What was shown stays readable. */
    private static void walkAway(Phone phone, String id, String authenticator, ChallengeKind kind) {
        Pending<MobileAuthOutcome> handling = phone.client.mobileAuthHandle(id, new MobileAuthOptions().authenticator(authenticator));
        Operation shown;
        Challenge challenge;
        try (Challenge open = phone.next()) {
            challenge = open;
            check(open.getInfo().kind() == kind, "a challenge of another kind");
            shown = open.getInfo().request().operation();
            check(fails(() -> open.proximity("1", null, null)).code() == ErrorCode.ARGUMENT, "that is no answer");
        }
        checkEnded(handling);
        check(shown.id().equals(id), "the operation is gone");
        challenge.close();
        check(fails(challenge::cancel).code() == ErrorCode.HANDLE, "it is not closed");
        check(phone.client.operationsDetail(id).waitFor().status() == shown.status(), "it is pending no more");
    }

    /** Closed after an answer, a challenge leaves the handling alone. */
    private static void answer(Phone phone, String id) {
        Pending<MobileAuthOutcome> handling = phone.client.mobileAuthHandle(id);
        for (String pin : List.of("0000", "1234")) {
            try (Challenge challenge = phone.next()) {
                check(challenge.getInfo().request().transactionId().equals(id), "another request");
                challenge.pin(pin.getBytes(StandardCharsets.US_ASCII));
            }
        }
        check(handling.waitFor().error() == MobileAuthErrorCode.OK, "it was not approved");
    }

    private static void everyOrder(String[] given, Store store, String id) throws Exception {
        for (List<Integer> order : Hosts.orders(4)) {
            Phone phone = new Phone(given, store);
            Pending<MobileAuthOutcome> handling = phone.client.mobileAuthHandle(id);
            Challenge challenge = phone.next();
            Operation shown = challenge.getInfo().request().operation();
            List<AutoCloseable> all = List.of(phone.runtime, phone.client, handling.task(), challenge);
            for (int index : order) {
                all.get(index).close();
            }
            ErrorCode code = fails(handling::waitFor).code();
            check(code == ErrorCode.CANCELLED || code == ErrorCode.HANDLE, order + ": " + code);
            check(shown.id().equals(id), order + ": the operation is gone");
        }
    }

    public static void main(String[] given) throws Exception {
        String id = given[4];
        try (Store store = Store.memory(); Auth auth = new Auth().pin("1234".toCharArray()).biometryKey(KEY)) {
            Phone phone = new Phone(given, store);
            phone.client.activate(new ActivationOptions().code(given[3])).waitFor();
            phone.client.persist(auth);
            phone.client.waitActive().waitFor();
            phone.client.mobileAuthRegisterAuthenticator("card", KEY);
            walkAway(phone, id, null, ChallengeKind.PIN);
            walkAway(phone, id, "card", ChallengeKind.CUSTOM);
            phone.client.close();
            phone.runtime.close();
            everyOrder(given, store, id);
            Phone last = new Phone(given, store);
            answer(last, id);
            last.client.close();
            last.runtime.close();
        }
        System.out.println("approved " + id);
    }
}
