import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Addresses at which no honest MCP server answers, by behaviour. */
const behaviours: { readonly [path: string]: RequestListener } = {
  '/never': () => {},
  '/page': (_request, response) => void response.end('<html>welcome</html>'),
  '/reset': (request) => void request.socket.destroy(),
  '/flood': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const block = `: ${'x'.repeat(60_000)}\n`
    const more = (): void => {
      while (!response.destroyed && response.write(block));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  },
}

/** Serves all behaviours on a free port of the loopback. */
export async function misbehavingHttp(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    response.on('error', () => {}) // the client may leave at any moment
    behaviours[request.url ?? '']?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
