import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** An address on loopback where nothing listens: one that was free a moment ago. */
export async function unusedOrigin(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
