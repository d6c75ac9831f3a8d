import type { WebhookDelivery, WebhookTest } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { webhookDeliveriesQuery } from '../api/queries.ts'
import { useCommonZone } from '../api/zone.ts'
import { type Translate, useWords } from '../i18n/index.tsx'
import { Awaited } from '../ui/awaited.tsx'
import { Skeleton } from '../ui/basics.tsx'

/** What came of the last attempt; empty before the first. */
export function resultText(t: Translate, { status, problem }: Pick<WebhookTest, 'status' | 'problem'>): string {
  if (status !== null) return t('webhooks.status', { status })
  return problem === null ? '' : t(`webhooks.problem_${problem}`)
}

export function Deliveries({ webhookId }: { webhookId: string }) {
  const { t } = useWords()
  const deliveries = useQuery(webhookDeliveriesQuery(webhookId))
  const { data } = deliveries
  if (!data) {
    return (
      <Awaited of={[deliveries]}>
        <Skeleton className="h-24" />
      </Awaited>
    )
  }
  if (data.length === 0) return <p className="text-soft">{t('webhooks.log_none')}</p>
  return (
    <ul className="divide-y divide-line">
      {data.map((delivery) => (
        <Delivery key={delivery.id} {...delivery} />
      ))}
    </ul>
  )
}

function Delivery(delivery: WebhookDelivery) {
  const { t, format } = useWords()
  const zone = useCommonZone()
  const { type, building, queued, state, attempts } = delivery
  const facts = [
    format.moment(Date.parse(queued), zone),
    ...(building === null ? [] : [building]),
    ...(attempts > 1 ? [t('webhooks.attempts', { n: attempts })] : []),
  ]
  const result = resultText(t, delivery)
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
      <div className="min-w-0">
        <p className="break-words font-mono text-sm">{type}</p>
        <p className="text-sm text-soft">{facts.join(' · ')}</p>
      </div>
      <p className={`text-sm ${state === 'failed' ? 'text-alert' : 'text-soft'}`}>
        {[t(`webhooks.state_${state}`), ...(result === '' ? [] : [result])].join(', ')}
      </p>
    </li>
  )
}
