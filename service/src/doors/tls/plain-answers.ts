import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { authorityPage, PAGE_POLICY } from './authority-page.ts'
import type { LocalTls } from './local.ts'
import { inUrl, normalName } from './names.ts'

const HEADERS = {
  connection: 'close',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/** All that is ever said without encryption: the authority's certificate, how to take it, and where to go. */
export function plainAnswers(local: () => LocalTls): RequestListener {
  return (request, response) => {
    const { names, authority } = local()
    const url = URL.parse(request.url ?? '/', 'http://localhost')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const host = hostOf(request, names)
    if (isRead && url?.pathname === '/authority.crt') {
      return send(response, 200, 'application/x-x509-ca-cert', authority.cert)
    }
    if (isRead && (url?.pathname === '/authority' || url?.pathname === '/')) {
      response.setHeader('content-security-policy', PAGE_POLICY)
      response.setHeader('vary', 'accept-language, user-agent')
      const language = url.searchParams.get('lang') ?? String(request.headers['accept-language'] ?? '')
      const userAgent = String(request.headers['user-agent'] ?? '')
      const page = authorityPage({ authority, addresses: addressesOf(host, names), language, userAgent })
      return send(response, 200, 'text/html; charset=utf-8', page)
    }
    if (isRead && url && String(request.headers.accept ?? '').includes('text/html')) {
      // Not for ever: the authority may be taken away again.
      response.setHeader('location', `https://${host}${url.pathname}${url.search}`)
      return send(response, 307, 'text/plain; charset=utf-8', `https://${host}\n`)
    }
    const error = { code: 'https_needed', message: `This service is reached over HTTPS: https://${host}` }
    send(response, 400, 'application/json', `${JSON.stringify({ error })}\n`)
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...HEADERS, 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

/** As the device found us, if the certificate says so too. */
function hostOf(request: IncomingMessage, names: string[]): string {
  const asked = URL.parse(`http://${request.headers.host ?? ''}`)
  const name = asked && normalName(asked.hostname)
  const port = asked?.port || String(request.socket.localPort)
  return `${inUrl(name && names.includes(name) ? name : (names[0] ?? 'localhost'))}:${port}`
}

/** By address, and by the name that the local network knows: a passkey needs a name. */
function addressesOf(host: string, names: string[]): string[] {
  const port = host.slice(host.lastIndexOf(':'))
  const named = names.find((name) => name.endsWith('.local'))
  return [...new Set([host, ...(named ? [named + port] : [])])].map((each) => `https://${each}`)
}
