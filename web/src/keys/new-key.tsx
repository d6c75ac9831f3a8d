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
import { Switch } from '../ui/controls.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { ManyChips } from '../ui/many-chips.tsx'
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
  const [permission, setPermission] = useState<(typeof PERMISSIONS)[number]>('read')
  const [hasControl, setControl] = useState(false)
  const [buildingIds, setBuildingIds] = useState<string[] | null>(null)
  const submit = (form: FormData) =>
    run(async () => {
      const days = Number(expiry)
      const body: NewKey = {
        name: String(form.get('name')),
        permission,
        expires_at: days === 0 ? null : new Date(serviceNow() + days * DAY_MS).toISOString(),
        control: hasControl,
        building_ids: buildingIds,
      }
      onCreated(await api<CreatedKey>('POST', '/keys', body))
      await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })
    })
  return (
    <Form onSubmit={(values) => submit(values)}>
      <Field label={t('keys.name')} hint={t('keys.name_hint')} name="name" required maxLength={NAME_MAX_LENGTH} />
      <Chips<(typeof PERMISSIONS)[number]>
        label={t('keys.permission')}
        hint={t(`permission.${permission}_hint`)}
        value={permission}
        choices={PERMISSIONS.map((value) => ({ value, label: t(`permission.${value}`) }))}
        onChange={setPermission}
      />
      <Switch label={t('keys.control')} hint={t('keys.control_hint')} checked={hasControl} onChange={setControl} />
      <Chips
        label={t('keys.expiry')}
        value={expiry}
        choices={EXPIRIES_DAYS.map((days) => ({
          value: String(days),
          label: days === 0 ? t('keys.expiry_never') : t('keys.expiry_days', { n: days }),
        }))}
        onChange={setExpiry}
      />
      <Reach chosen={buildingIds} onChange={setBuildingIds} />
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

interface ReachProps {
  /** Null: all, also those of later. */
  chosen: string[] | null
  onChange(chosen: string[] | null): void
}

/** Which buildings it reaches; there is nothing to choose where there is one. */
function Reach({ chosen, onChange }: ReachProps) {
  const { t } = useWords()
  const buildings = useQuery(overviewQuery).data ?? []
  if (buildings.length < 2) return null
  return (
    <>
      <Chips<(typeof REACHES)[number]>
        label={t('keys.reach')}
        value={chosen === null ? 'all' : 'chosen'}
        choices={REACHES.map((value) => ({ value, label: t(`keys.reach_${value}`) }))}
        onChange={(reach) => onChange(reach === 'all' ? null : [])}
      />
      {chosen !== null && (
        <ManyChips
          label={t('keys.buildings')}
          choices={buildings.map(({ id, name }) => ({ value: id, label: name }))}
          chosen={chosen}
          onChange={onChange}
        />
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
