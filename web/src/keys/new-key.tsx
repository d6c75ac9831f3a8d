import type { CreatedKey, NewKey, Permission } from '@hypocaust/domain'
import { DAY_MS, NAME_MAX_LENGTH } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { serviceNow } from '../api/now.ts'
import { keysQuery, overviewQuery, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem } from '../ui/basics.tsx'
import { Chips } from '../ui/chips.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { curlLine } from './curl-line.ts'

const PERMISSIONS = ['read', 'write'] satisfies Permission[]
const REACHES = ['all', 'chosen'] as const
const EXPIRIES_DAYS = [0, 30, 90, 365]

export function NewKeyDialog({ onClose }: { onClose(): void }) {
  const { t } = useWords()
  const [created, setCreated] = useState<CreatedKey>()
  return created ? (
    <ShownOnce created={created} onClose={onClose} />
  ) : (
    <Dialog title={t('keys.create')} onClose={onClose}>
      <NewKeyForm onCreated={setCreated} onClose={onClose} />
    </Dialog>
  )
}

function NewKeyForm({ onCreated, onClose }: { onCreated(key: CreatedKey): void; onClose(): void }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [expiry, setExpiry] = useState('0')
  const submit = (form: FormData) =>
    run(async () => {
      const days = Number(expiry)
      const body: NewKey = {
        name: String(form.get('name')),
        permission: form.get('permission') as NewKey['permission'],
        expires_at: days === 0 ? null : new Date(serviceNow() + days * DAY_MS).toISOString(),
        control: form.get('control') === 'on',
        building_ids: form.get('reach') === 'chosen' ? form.getAll('building').map(String) : null,
      }
      onCreated(await api<CreatedKey>('POST', '/keys', body))
      await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })
    })
  return (
    <Form onSubmit={(values) => submit(values)}>
      <Field label={t('keys.name')} hint={t('keys.name_hint')} name="name" required maxLength={NAME_MAX_LENGTH} />
      <fieldset className="space-y-2">
        <legend className="text-sm font-medium">{t('keys.permission')}</legend>
        {PERMISSIONS.map((permission) => (
          <label key={permission} className="flex min-h-11 items-start gap-3 rounded-xl border border-line p-3">
            <input
              type="radio"
              name="permission"
              value={permission}
              defaultChecked={permission === 'read'}
              className="mt-1 size-5 accent-ink"
            />
            <span>
              <span className="block font-medium">{t(`permission.${permission}`)}</span>
              <span className="block text-sm text-soft">{t(`permission.${permission}_hint`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label className="flex min-h-11 items-start gap-3">
        <input type="checkbox" name="control" className="mt-1 size-5 accent-ink" />
        <span>
          <span className="block font-medium">{t('keys.control')}</span>
          <span className="block text-sm text-soft">{t('keys.control_hint')}</span>
        </span>
      </label>
      <Chips
        label={t('keys.expiry')}
        value={expiry}
        choices={EXPIRIES_DAYS.map((days) => ({
          value: String(days),
          label: days === 0 ? t('keys.expiry_never') : t('keys.expiry_days', { n: days }),
        }))}
        onChange={setExpiry}
      />
      <Reach />
      {problem && <Problem>{problem}</Problem>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="main" disabled={isBusy}>
          {t('keys.create')}
        </Button>
      </div>
    </Form>
  )
}

/** Which buildings it reaches; there is nothing to choose where there is one. */
function Reach() {
  const { t } = useWords()
  const buildings = useQuery(overviewQuery).data ?? []
  const [reach, setReach] = useState<(typeof REACHES)[number]>('all')
  if (buildings.length < 2) return null
  return (
    <>
      <Chips<(typeof REACHES)[number]>
        label={t('keys.reach')}
        name="reach"
        value={reach}
        choices={REACHES.map((value) => ({ value, label: t(`keys.reach_${value}`) }))}
        onChange={setReach}
      />
      {reach === 'chosen' && (
        <fieldset className="space-y-1">
          <legend className="text-sm font-medium">{t('keys.buildings')}</legend>
          {buildings.map(({ id, name }) => (
            <label key={id} className="flex min-h-11 items-center gap-3">
              <input type="checkbox" name="building" value={id} className="size-5 accent-ink" />
              {name}
            </label>
          ))}
        </fieldset>
      )}
    </>
  )
}

/** Leaving without having copied asks once. */
function ShownOnce({ created, onClose }: { created: CreatedKey; onClose(): void }) {
  const { t } = useWords()
  const [isStored, setStored] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const leave = () => (isStored || isAsking ? onClose() : setAsking(true))
  return (
    <Dialog title={t('keys.shown_title', { name: created.name })} onClose={leave}>
      <p>{t('keys.shown_once')}</p>
      <CopyField label={t('keys.value')} value={created.value} onCopied={() => setStored(true)} />
      <CopyField label={t('keys.curl')} value={curlLine(created.value)} onCopied={() => setStored(true)} />
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          checked={isStored}
          onChange={(event) => setStored(event.target.checked)}
          className="size-5 accent-ink"
        />
        {t('keys.stored')}
      </label>
      {isAsking && !isStored && <Problem>{t('keys.not_stored')}</Problem>}
      <div className="flex justify-end">
        <Button look="main" onClick={leave}>
          {t(isAsking && !isStored ? 'keys.leave_anyway' : 'done')}
        </Button>
      </div>
    </Dialog>
  )
}
