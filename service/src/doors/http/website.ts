import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { isOfPrograms } from '@hypocaust/domain/facts'
import type { FastifyReply, FastifyRequest } from 'fastify'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** Everything comes from here and nothing runs inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')
const NOT_FRAMED = `${POLICY}; frame-ancestors 'none'`
/** Home Assistant shows the site in a frame of its own page, on the same host. */
const FRAMED_BY_HOST = `${POLICY}; frame-ancestors 'self'`

const NOT_BUILT =
  '<!doctype html><title>Hypocaust</title><p>The website has not been built. Run <code>npm ci</code> in the folder of Hypocaust, then start it again.'

interface Page {
  type: string
  tag: string
  isImmutable: boolean
  plain: Buffer
  /** Compressed when first asked for, then kept. */
  compressed: Partial<Record<'gzip' | 'br', Buffer>>
}

/** The built pages, read once: they are small, and the disk may be slow. */
export class Website {
  readonly #files: Map<string, Page>

  constructor(folder: string) {
    this.#files = readFolder(folder)
  }

  /** True when it has answered: a file of the website, or for any other page the application that draws it. */
  answer(request: FastifyRequest, reply: FastifyReply, path: string): boolean {
    if ((request.method !== 'GET' && request.method !== 'HEAD') || isOfPrograms(path)) return false
    const file = this.#files.get(path)
    const wantsPage = String(request.headers.accept ?? '').includes('text/html')
    const page = file ?? (wantsPage ? this.#files.get('/index.html') : undefined)
    if (page) send(request, reply, under(request.basePath, page))
    else if (wantsPage) reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT)
    return page !== undefined || wantsPage
  }
}

function send(request: FastifyRequest, reply: FastifyReply, page: Page): void {
  const accepts = String(request.headers['accept-encoding'] ?? '')
  reply.headers({
    etag: page.tag,
    // Not by `accept`: a service worker that kept a page would then not find it again.
    vary: 'accept-encoding, x-ingress-path',
    'cache-control': page.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': request.basePath === '' ? NOT_FRAMED : FRAMED_BY_HOST,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  })
  if (request.headers['if-none-match'] === page.tag) return void reply.code(304).send()
  reply.type(page.type)
  const encoding = (['br', 'gzip'] as const).find((name) => new RegExp(`\\b${name}\\b`).test(accepts))
  if (!encoding) return void reply.send(page.plain)
  page.compressed[encoding] ??= COMPRESS[encoding](page.plain)
  reply.header('content-encoding', encoding).send(page.compressed[encoding])
}

/** The page names its parts from the root; below another path that path comes first. The parts name each other relatively. */
function under(basePath: string, page: Page): Page {
  if (basePath === '' || page.type !== TYPES['.html']) return page
  return pageOf('/index.html', Buffer.from(page.plain.toString().replaceAll('="/', `="${basePath}/`)))
}

const COMPRESS = {
  br: (plain: Buffer) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (plain: Buffer) => gzipSync(plain),
}

function readFolder(folder: string): Map<string, Page> {
  if (!existsSync(folder)) return new Map()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const pages = files.map((entry) => {
    const file = join(entry.parentPath, entry.name)
    const path = `/${file.slice(folder.length + 1).replaceAll('\\', '/')}`
    return [path, pageOf(path, readFileSync(file))] as const
  })
  const index = pages.find(([path]) => path === '/index.html')
  return new Map(index ? [...pages, ['/', index[1]]] : pages)
}

function pageOf(path: string, plain: Buffer): Page {
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    tag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    // The build puts a hash of the content into these names.
    isImmutable: path.startsWith('/assets/'),
    plain,
    compressed: {},
  }
}
