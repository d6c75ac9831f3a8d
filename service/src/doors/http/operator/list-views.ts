import { type Html, html } from '@hypocaust/domain'
import type { RateUse } from '../../../people/fleet/rate-use.ts'
import type { lastErrors } from '../../../people/fleet/request-errors.ts'
import type { Tenant } from '../../../people/fleet/tenants.ts'
import type { actsOf } from '../../../people/operators/acts.ts'
import { moment, none, type Shown, table } from './document.ts'

/** What the installation costs a month is the operator's to say; without it shares are shown alone. */
export function tenantsView(
  { t }: Shown,
  { tenants, monthlyCost, next }: { tenants: Tenant[]; monthlyCost: number | undefined; next: number | undefined },
): Html {
  const rows = tenants.map(({ account, buildings, rooms, readings, share }) => [
    account,
    buildings,
    rooms,
    readings,
    `${(100 * share).toFixed(1)} %`,
    ...(monthlyCost === undefined ? [] : [(share * monthlyCost).toFixed(2)]),
  ])
  const cost = monthlyCost === undefined ? [] : (['cost'] as const)
  return html`<h2>${t('tenants')}</h2><p class="soft">${t('tenants_hint')}</p>
${table(t, ['account', 'buildings', 'rooms', 'readings', 'share', ...cost], rows)}
${next === undefined ? none : html`<p><a href="/tenants?from=${next}">${t('next')}</a></p>`}`
}

export function limitsView({ t }: Shown, used: RateUse[] | undefined): Html {
  const rows = (used ?? []).map(({ account, key, hint, budget, used, limit }) => [
    html`${key} <span class="soft">${hint}</span>`,
    account,
    ...(['read', 'write'] as const).map((each) =>
      each !== budget ? '' : limit === 0 ? used : t('used_of', { used, limit }),
    ),
  ])
  return html`<h2>${t('limits')}</h2>${used === undefined ? html`<p>${t('limits_own')}</p>` : table(t, ['key', 'account', 'budget.read', 'budget.write'], rows)}`
}

export const errorsView = ({ t }: Shown, errors: Awaited<ReturnType<typeof lastErrors>>): Html =>
  html`<h2>${t('errors')}</h2>${table(
    t,
    ['when', 'status', 'route', 'message', 'request', 'machine'],
    errors.map(({ failedAt, status, route, message, requestId, machine }) => [
      moment(t, failedAt),
      status,
      route,
      message,
      requestId,
      machine,
    ]),
  )}`

export function actsView(
  { t }: Shown,
  { acts, before }: { acts: Awaited<ReturnType<typeof actsOf>>; before: string | undefined },
): Html {
  const rows = acts.map(({ actedAt, operator, act, subject, detail }) => [
    moment(t, actedAt),
    operator || t('shell'),
    t(`act.${act}`),
    subject,
    detail,
  ])
  return html`<h2>${t('acts')}</h2>${table(t, ['when', 'operator', 'act', 'subject', 'detail'], rows)}
${before === undefined ? none : html`<p><a href="/acts?before=${before}">${t('next')}</a></p>`}`
}
