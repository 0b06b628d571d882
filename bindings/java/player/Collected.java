// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import mtoken.Event;

/** A subscriber that keeps what comes. The tests have it too. */
final class Collected implements Flow.Subscriber<Event> {
    private static final long MINUTE = 60;
    final CountDownLatch hasEnded = new CountDownLatch(1);
    private final BlockingQueue<Event> found = new LinkedBlockingQueue<>();

    Event next() {
        try {
            Event event = found.poll(MINUTE, TimeUnit.SECONDS);
            if (event == null) {
                throw new AssertionError("no event arrived");
            }
            return event;
        } catch (InterruptedException problem) {
            throw new AssertionError(problem);
        }
    }

    boolean hasMore() {
        return !found.isEmpty();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Event event) {
        found.add(event);
    }

    @Override
    public void onError(Throwable problem) {
        throw new AssertionError(problem);
    }

    @Override
    public void onComplete() {
        hasEnded.countDown();
    }
}
