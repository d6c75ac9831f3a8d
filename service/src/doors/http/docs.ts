import type { FastifyInstance } from 'fastify'

/** The reference page starts itself inline, and may talk to nobody but this service. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; frame-ancestors 'none'"

export async function referencePage(app: FastifyInstance): Promise<void> {
  // Loaded when a server is built, not when a command lists keys.
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  await app.register(async (docs) => {
    docs.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', POLICY)
    })
    await docs.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Hypocaust API',
        withDefaultFonts: false,
        hideClientButton: true,
        telemetry: false,
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: 'never',
      },
    })
  })
}
