import { type Html, html, MAX_REASON_LENGTH, MIN_REASON_LENGTH, UUID_PATTERN } from '@hypocaust/domain'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { errors, ServiceError } from '../../../base/errors.ts'
import type { Availability } from '../../../house/buildings/buildings.ts'
import { openBuilding, readTemperatures } from '../../../people/fleet/building.ts'
import { FLEET_NEEDS, fleetBuildings, fleetNeeds } from '../../../people/fleet/needs.ts'
import { rateUse } from '../../../people/fleet/rate-use.ts'
import { lastErrors } from '../../../people/fleet/request-errors.ts'
import { tenantsOf } from '../../../people/fleet/tenants.ts'
import { actsOf, recordAct } from '../../../people/operators/acts.ts'
import { closeSession } from '../../../people/operators/sessions.ts'
import { isStoreError, type Store } from '../../../store/store.ts'
import { refuseForeignOrigins } from '../app/access.ts'
import { pathOf } from '../errors.ts'
import type { Limits } from '../limits.ts'
import { csrfOf, fieldOf, OperatorAccess, parseForms, refuseForeignForm, setCookie, tokenIn } from './access.ts'
import { buildingsView, buildingView, temperaturesView } from './building-views.ts'
import { alertBox, document, none, type Shown } from './document.ts'
import { actsView, errorsView, limitsView, tenantsView } from './list-views.ts'
import { STYLE } from './style.ts'
import { languageFrom, type Word, wordsIn } from './words.ts'

export interface ConsoleParts {
  store: Store
  clock: Clock
  authSecret: string
  availability: Availability
  limits: Limits
  /** What the installation costs a month. */
  monthlyCost?: number
}

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}
const ROWS = 50
const MOST_ERRORS = 200
const MOST_SKIPPED = 1_000_000

/** The console of the people who run the service: pages without scripts. */
export function consoleRoutes(app: FastifyInstance, parts: ConsoleParts): void {
  const access = new OperatorAccess(parts.store, parts.clock, parts.authSecret)
  parseForms(app)
  app.decorateRequest('operator')
  answerFailures(app)
  refuseForeignOrigins(app)
  app.get('/style.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE))
  app.post('/sign-in', async (request, reply) => {
    setCookie(request, reply, await access.signIn(request))
    return reply.redirect('/', 303)
  })
  app.register(async (own) => {
    own.addHook('onRequest', async (request, reply) => {
      const operator = await access.operatorOf(request)
      if (!operator) return send(request, reply.code(401), signInView(shownFor(request, ''), undefined), '')
      request.operator = operator
    })
    own.addHook('preHandler', async (request) => {
      if (request.method === 'POST') refuseForeignForm(request)
    })
    sessionRoutes(own, parts)
    listRoutes(own, parts)
    buildingRoutes(own, parts)
  })
}

function shownFor(request: FastifyRequest, csrf = csrfOf(request)): Shown {
  const language = languageFrom(request.headers['accept-language'])
  return { language, t: wordsIn(language), csrf, path: pathOf(request.url) }
}

const send = (request: FastifyRequest, reply: FastifyReply, body: Html, csrf?: string): FastifyReply =>
  reply
    .headers(HEADERS)
    .type('text/html; charset=utf-8')
    .send(document(shownFor(request, csrf), body))

const signInView = ({ t }: Shown, refusal: Word | undefined): Html => html`<form method="post" action="/sign-in">
<label>${t('name')}<br><input name="name" autocomplete="username" required></label>
<label>${t('password')}<br><input name="password" type="password" autocomplete="current-password" required></label>
<label>${t('code')}<br><input name="code" inputmode="numeric" autocomplete="one-time-code" required></label>
${refusal ? alertBox(t(refusal)) : none}<p><button>${t('sign_in')}</button></p></form>`

/** What cannot be shown, as a page. */
function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { t } = shownFor(request)
    const code = error instanceof ServiceError ? error.code : 'internal_error'
    const status = statusOf(error)
    if (status === 500) request.log.error({ err: error }, 'the console failed')
    if (code === 'wrong_credentials' || code === 'rate_limited') {
      const refusal = code === 'rate_limited' ? 'too_many' : 'refused'
      return send(request, reply.code(status), signInView(shownFor(request, ''), refusal), '')
    }
    if (code === 'foreign_origin') return send(request, reply.code(status), alertBox(t('forbidden')))
    if (code === 'not_found') return send(request, reply.code(status), alertBox(t('not_found')))
    return send(request, reply.code(status), alertBox(t('failed', { id: String(request.id) })))
  })
  app.setNotFoundHandler(async (request) => {
    throw errors.noSuchPath(pathOf(request.url))
  })
}

/** A body that is too large, or no form, is the fault of the caller; without its database the console has nothing to show. */
function statusOf(error: FastifyError): number {
  if (error instanceof ServiceError) return error.status
  if (isStoreError(error, 'unavailable')) return 503
  const { statusCode = 500 } = error
  return statusCode < 500 ? statusCode : 500
}

function sessionRoutes(app: FastifyInstance, { store, clock }: ConsoleParts): void {
  app.post('/sign-out', async (request, reply) => {
    await closeSession(store, clock.now(), request.operator, tokenIn(request.headers.cookie))
    setCookie(request, reply, '')
    return reply.redirect('/', 303)
  })
}

function listRoutes(app: FastifyInstance, { store, clock, availability, limits, monthlyCost }: ConsoleParts): void {
  const look = () => ({ nowMs: clock.now(), silentAfterS: availability.silentAfterS })
  const page = <Row>(rows: Row[], from: number) => ({
    rows: rows.slice(0, ROWS),
    next: rows.length > ROWS ? from + ROWS : undefined,
  })

  app.get('/', async (request, reply) => {
    const query = request.query as Record<string, unknown>
    const need = FLEET_NEEDS.find((each) => each === query.need)
    const from = skipped(query.from)
    const [counts, found] = await Promise.all([
      fleetNeeds(store, look()),
      fleetBuildings(store, { ...look(), need, from, most: ROWS + 1 }),
    ])
    const { rows: buildings, next } = page(found, from)
    return send(request, reply, buildingsView(shownFor(request), { buildings, counts, need, search: '', next }))
  })

  // A form with a body: what is searched for is in no address, and so in no log of a proxy.
  app.post('/search', async (request, reply) => {
    const search = fieldOf(request, 'search').slice(0, 200)
    if (search === '') return reply.redirect('/', 303)
    const { name: operator } = request.operator
    await store.batch([recordAct(store, clock.now(), { operator, act: 'searched', subject: search })])
    const [counts, buildings] = await Promise.all([
      fleetNeeds(store, look()),
      fleetBuildings(store, { ...look(), search, from: 0, most: ROWS }),
    ])
    const listed = { buildings, counts, need: undefined, search, next: undefined }
    return send(request, reply, buildingsView({ ...shownFor(request), path: '/' }, listed))
  })

  app.get('/tenants', async (request, reply) => {
    const from = skipped((request.query as Record<string, unknown>).from)
    const found = await tenantsOf(store, { nowMs: clock.now(), from, most: ROWS + 1 })
    const { rows: tenants, next } = page(found, from)
    return send(request, reply, tenantsView(shownFor(request), { tenants, monthlyCost, next }))
  })
  app.get('/limits', async (request, reply) =>
    send(request, reply, limitsView(shownFor(request), await rateUse(store, limits, clock.now()))),
  )
  app.get('/errors', async (request, reply) =>
    send(request, reply, errorsView(shownFor(request), await lastErrors(store, MOST_ERRORS))),
  )
  app.get('/acts', async (request, reply) => {
    const { before } = request.query as Record<string, unknown>
    const known = typeof before === 'string' && UUID_PATTERN.test(before) ? before : undefined
    const acts = await actsOf(store, { before: known, most: ROWS })
    const last = acts.length === ROWS ? acts.at(-1)?.id : undefined
    return send(request, reply, actsView(shownFor(request), { acts, before: last }))
  })
}

const skipped = (text: unknown): number =>
  typeof text === 'string' && /^\d{1,7}$/.test(text) ? Math.min(MOST_SKIPPED, Number(text)) : 0

interface OfBuilding {
  Params: { id: string }
}

function buildingRoutes(app: FastifyInstance, { store, clock }: ConsoleParts): void {
  const opened = async ({ params, operator }: FastifyRequest<OfBuilding>) => {
    const id = params.id.toLowerCase()
    const building = UUID_PATTERN.test(id) ? await openBuilding(store, clock, operator.name, id) : undefined
    if (!building) throw errors.noSuchBuilding(params.id)
    return building
  }

  app.get<OfBuilding>('/buildings/:id', async (request, reply) =>
    send(request, reply, buildingView(shownFor(request), await opened(request))),
  )

  app.post<OfBuilding>('/buildings/:id/temperatures', async (request, reply) => {
    const building = await opened(request)
    const reason = fieldOf(request, 'reason')
    if (reason.length < MIN_REASON_LENGTH || reason.length > MAX_REASON_LENGTH)
      return send(request, reply.code(400), buildingView(shownFor(request), building, true))
    const { id, name } = building
    const rooms = await readTemperatures(store, clock, request.operator.name, { id, name, reason })
    return send(request, reply, temperaturesView(shownFor(request), building, rooms))
  })
}
