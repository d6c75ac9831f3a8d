import type { CreatedWebhook, NewWebhook } from '@hypocaust/domain'
import { WEBHOOK_EVENTS } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { queryClient, webhooksQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem } from '../ui/basics.tsx'
import { Switch } from '../ui/controls.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'

export function NewWebhookDialog({ onClose }: { onClose(): void }) {
  const { t } = useWords()
  const [created, setCreated] = useState<CreatedWebhook>()
  return created ? (
    <Dialog title={t('webhooks.secret_title')} onClose={onClose}>
      <p>{t('webhooks.secret_once')}</p>
      <CopyField label={t('webhooks.secret')} value={created.secret} />
      <div className="flex justify-end">
        <Button look="main" onClick={onClose}>
          {t('done')}
        </Button>
      </div>
    </Dialog>
  ) : (
    <Dialog title={t('webhooks.create')} onClose={onClose}>
      <NewWebhookForm onCreated={setCreated} onClose={onClose} />
    </Dialog>
  )
}

function NewWebhookForm({ onCreated, onClose }: { onCreated(webhook: CreatedWebhook): void; onClose(): void }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [events, setEvents] = useState<NewWebhook['events']>([...WEBHOOK_EVENTS])
  const submit = async (form: FormData) => {
    if (events.length === 0) return
    await run(async () => {
      const body: NewWebhook = { url: String(form.get('url')).trim(), events }
      onCreated(await api<CreatedWebhook>('POST', '/webhooks', body))
      await queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey })
    })
  }
  return (
    <Form onSubmit={(values) => submit(values)}>
      <Field label={t('webhooks.url')} name="url" type="url" required pattern="https?://.*" maxLength={1024} />
      <fieldset className="space-y-2">
        <legend className="pb-1 text-sm font-medium">{t('webhooks.events')}</legend>
        {WEBHOOK_EVENTS.map((event) => (
          <Switch
            key={event}
            label={t(`webhooks.event_${event}`)}
            hint={t(`webhooks.event_${event}_hint`)}
            checked={events.includes(event)}
            onChange={(isOn) =>
              setEvents(WEBHOOK_EVENTS.filter((each) => (each === event ? isOn : events.includes(each))))
            }
          />
        ))}
      </fieldset>
      {events.length === 0 && <Problem>{t('webhooks.event_missing')}</Problem>}
      {problem && <Problem>{problem}</Problem>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="main" disabled={isBusy}>
          {t('webhooks.create')}
        </Button>
      </div>
    </Form>
  )
}
