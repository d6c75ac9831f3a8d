import type { FastifyInstance } from 'fastify'

const CONFIGURATION = {
  url: '../openapi.json',
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
}

const START = Buffer.from(`Scalar.createApiReference('#reference', ${JSON.stringify(CONFIGURATION)})\n`)

/** No script inline; the reference makes its own styles. It may talk to this service only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hypocaust API</title>
</head>
<body>
<div id="reference"></div>
<script src="js/scalar.js"></script>
<script src="js/start.js"></script>
</body>
</html>
`)

/** The reference page. Its large script is kept once, as bytes: however many ask, it is in memory once. */
export function referencePage(app: FastifyInstance): void {
  const hidden = { schema: { hide: true } }
  app.get('/docs', hidden, async ({ basePath }, reply) => reply.redirect(`${basePath}/docs/`, 302))
  app.get('/docs/', hidden, async (_request, reply) => {
    reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8')
    return PAGE
  })
  for (const [name, script] of [
    ['scalar.js', scalarScript],
    ['start.js', () => START],
  ] as const) {
    app.get(`/docs/js/${name}`, hidden, async (_request, reply) => {
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=3600')
      return script()
    })
  }
}

let kept: Promise<Buffer> | undefined

/** As the package serves it: it exports its script in no other way. */
const scalarScript = (): Promise<Buffer> => {
  kept ??= readScalarScript()
  return kept
}

async function readScalarScript(): Promise<Buffer> {
  // Loaded when a browser asks for it: it is larger than the rest of the service.
  const [{ default: scalar }, { default: Fastify }] = await Promise.all([
    import('@scalar/fastify-api-reference'),
    import('fastify'),
  ])
  const own = Fastify()
  await own.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { rawPayload } = await own.inject('/docs/js/scalar.js')
  await own.close()
  return rawPayload
}
