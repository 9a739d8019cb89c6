import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Lets a server listen on any free port of this machine. */
export async function onLoopback(
  server: Server,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
