import type { Webhook, WebhookTest } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { queryClient, webhooksQuery } from '../api/queries.ts'
import { useCommonZone } from '../api/zone.ts'
import { useWords } from '../i18n/index.tsx'
import { Awaited } from '../ui/awaited.tsx'
import { Button, Empty, PageTitle, Problem, Skeleton, Summary } from '../ui/basics.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useDeed } from '../ui/form.ts'
import { Deliveries, resultText } from '../webhooks/deliveries.tsx'
import { NewWebhookDialog } from '../webhooks/new-webhook.tsx'

const refresh = () => queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey })

export default function WebhooksPage() {
  const { t } = useWords()
  const webhooks = useQuery(webhooksQuery)
  const { data } = webhooks
  const [isCreating, setCreating] = useState(false)
  const [removing, setRemoving] = useState<Webhook>()
  const create = (
    <Button look="main" icon="plus" onClick={() => setCreating(true)}>
      {t('webhooks.create')}
    </Button>
  )
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/settings' }}>{t('webhooks.title')}</PageTitle>
      <p className="max-w-prose text-soft">{t('webhooks.lead')}</p>
      <Awaited of={[webhooks]}>
        <Skeleton className="h-32" />
      </Awaited>
      {data?.length === 0 && (
        <Empty icon="signal" title={t('webhooks.none')}>
          {create}
        </Empty>
      )}
      {data && data.length > 0 && (
        <>
          {create}
          <ul className="space-y-3">
            {data.map((webhook) => (
              <li key={webhook.id} className="card space-y-3 p-4 sm:p-5">
                <WebhookCard webhook={webhook} onRemove={() => setRemoving(webhook)} />
              </li>
            ))}
          </ul>
        </>
      )}
      {isCreating && <NewWebhookDialog onClose={() => setCreating(false)} />}
      {removing && <RemoveDialog webhook={removing} onClose={() => setRemoving(undefined)} />}
    </div>
  )
}

function WebhookCard({ webhook, onRemove }: { webhook: Webhook; onRemove(): void }) {
  const { t, format } = useWords()
  const zone = useCommonZone()
  const { isBusy, problem, run } = useDeed()
  const [tested, setTested] = useState<WebhookTest>()
  const [isOpen, setOpen] = useState(false)
  const { id, url, events, created, disabled, waiting, retry_at } = webhook
  const test = () =>
    run(async () => {
      setTested(undefined)
      setTested(await api<WebhookTest>('POST', `/webhooks/${id}/test`))
      await refresh()
    })
  const facts = [
    events.map((event) => t(`webhooks.event_${event}`)).join(', '),
    t('webhooks.added', { date: format.date(Date.parse(created), zone) }),
    ...(waiting > 0 ? [t('webhooks.waiting', { n: waiting })] : []),
    ...(retry_at === null ? [] : [t('webhooks.retry', { time: format.moment(Date.parse(retry_at), zone) })]),
  ]
  return (
    <>
      <div className="min-w-0">
        <h2 className="break-all font-medium">{url}</h2>
        <p className="text-sm text-soft">{facts.join(' · ')}</p>
      </div>
      {disabled !== null && (
        <Problem>{t('webhooks.disabled', { date: format.date(Date.parse(disabled), zone) })}</Problem>
      )}
      {problem && <Problem>{problem}</Problem>}
      {tested && !tested.delivered && <Problem>{t('webhooks.test_failed', { result: resultText(t, tested) })}</Problem>}
      {tested?.delivered && <p role="status">{t('webhooks.test_taken')}</p>}
      <div className="flex flex-wrap gap-2">
        {disabled === null && (
          <Button onClick={test} disabled={isBusy}>
            {t('webhooks.test')}
          </Button>
        )}
        <Button look="danger" onClick={onRemove} aria-label={t('webhooks.remove_named', { url })}>
          {t('webhooks.remove')}
        </Button>
      </div>
      <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <Summary>{t('webhooks.log')}</Summary>
        {isOpen && <Deliveries webhookId={id} />}
      </details>
    </>
  )
}

function RemoveDialog({ webhook: { id, url }, onClose }: { webhook: Webhook; onClose(): void }) {
  const { t } = useWords()
  return (
    <ConfirmDialog
      title={t('webhooks.remove_title')}
      text={t('webhooks.remove_text', { url })}
      action={t('webhooks.remove_deed')}
      onConfirm={async () => {
        await api('DELETE', `/webhooks/${id}`)
        await refresh()
      }}
      onDone={onClose}
      onClose={onClose}
    />
  )
}
