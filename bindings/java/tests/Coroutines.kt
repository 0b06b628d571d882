import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import mtoken.Client
import mtoken.MTokenRuntime

/** `await` is that of kotlinx.coroutines: it suspends, and `withTimeout` stops the call. */
fun main() {
    MTokenRuntime.create().use { runtime ->
        Hosts.client(runtime, Hosts.url(true)).use { client -> runBlocking { client.synchronizeTime().await() } }
        Hosts.client(runtime, Hosts.url(false)).use { client -> runBlocking { stopped(client) } }
    }
}

private suspend fun stopped(client: Client) {
    val call = client.synchronizeTime()
    try {
        withTimeout(200) {
            launch { println("another coroutine runs") }
            call.await()
        }
    } catch (problem: TimeoutCancellationException) {
        println("the call is cancelled: " + call.isCancelled)
    }
}
