import type { WeatherSource } from '@hypocaust/domain'
import type { FastifyInstance } from 'fastify'
import { AuthByOrigin } from '../../accounts/auth-by-origin.ts'
import type { AppParts } from '../../app.ts'
import { refuseForeignOrigins, requireSession } from './access.ts'
import { accountRoutes, passkeySignInRoutes } from './account.ts'
import { appBuildingRoutes } from './buildings.ts'
import { eventRoutes } from './events.ts'
import { appGatewayRoutes } from './gateways.ts'
import { appKeyRoutes } from './keys.ts'
import { appMatterRoutes } from './matter.ts'
import { appRoomRoutes } from './rooms.ts'
import { scopesOf } from './scope.ts'
import { signInRoutes } from './sign-in.ts'
import { Throttle } from './throttle.ts'
import { weatherRoutes } from './weather.ts'

export interface WebsiteParts {
  /** Signs the session cookies. */
  authSecret: string
  openSignUp: boolean
  weatherSource: WeatherSource['source']
  /** The built pages. */
  folder: string
}

/** The website's own interface: a session cookie opens it, an API key does not. */
export async function appRoutes(app: FastifyInstance, parts: AppParts, website: WebsiteParts): Promise<void> {
  const auths = new AuthByOrigin(parts.store, website.authSecret)
  const throttle = new Throttle(parts.store, parts.clock)
  refuseForeignOrigins(app)
  signInRoutes(app, { ...parts, auths, throttle, openSignUp: website.openSignUp })
  passkeySignInRoutes(app, { auths, throttle })
  await app.register(async (inside) => {
    requireSession(inside, auths)
    const house = { ...parts, scopes: scopesOf(inside, parts.store) }
    accountRoutes(inside, { auths, throttle })
    appBuildingRoutes(inside, house)
    appRoomRoutes(inside, house)
    appGatewayRoutes(inside, house)
    appKeyRoutes(inside, parts)
    weatherRoutes(inside, website.weatherSource)
    appMatterRoutes(inside, house)
    eventRoutes(inside, { ...parts, auths })
  })
}
