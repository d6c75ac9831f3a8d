import type { Tariff } from '@hypocaust/domain'
import { PRICE_PER_KWH, TARIFF_KINDS } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Button, Field } from '../ui/basics.tsx'
import { Chips } from '../ui/chips.tsx'
import { Form } from '../ui/form-element.tsx'
import { TimeField } from '../ui/time-field.tsx'
import { say } from '../ui/toast.tsx'
import { AmountField } from './amount-field.tsx'

type Kind = Tariff['kind']

const USUAL: Record<Kind, Tariff> = {
  fixed: { kind: 'fixed', price: 0.3 },
  times: {
    kind: 'times',
    steps: [
      { at: '06:00', price: 0.3 },
      { at: '22:00', price: 0.2 },
    ],
  },
  market: { kind: 'market', area: '', factor: 1, surcharge: 0 },
  gateway: { kind: 'gateway', factor: 1, surcharge: 0 },
}

interface Props {
  tariff: Tariff | null
  isBusy: boolean
  onSave(tariff: Tariff | null): Promise<boolean>
}

/** A kind is chosen, its figures are filled in, then all of it is saved. */
export function TariffForm({ tariff, isBusy, onSave }: Props) {
  const { t } = useWords()
  const [draft, setDraft] = useState(tariff)
  const save = async () => {
    if (await onSave(draft)) say({ text: t('tariff.saved') })
  }
  return (
    <Form onSubmit={save}>
      <Chips<Kind | ''>
        label={t('tariff.label')}
        value={draft?.kind ?? ''}
        choices={[
          ...TARIFF_KINDS.map((kind) => ({ value: kind, label: t(`tariff.${kind}`) })),
          { value: '', label: t('energy.unknown') },
        ]}
        onChange={(kind) => setDraft(kind === '' ? null : USUAL[kind])}
      />
      {draft && <TariffFields key={draft.kind} tariff={draft} onChange={setDraft} />}
      {JSON.stringify(draft) !== JSON.stringify(tariff) && (
        <Button look="main" type="submit" disabled={isBusy}>
          {t('tariff.save')}
        </Button>
      )}
    </Form>
  )
}

function TariffFields({ tariff, onChange }: { tariff: Tariff; onChange(tariff: Tariff): void }) {
  const { t } = useWords()
  switch (tariff.kind) {
    case 'fixed':
      return (
        <AmountField
          limits={PRICE_PER_KWH}
          label={t('tariff.price')}
          value={tariff.price ?? 0}
          onChange={(price) => onChange({ ...tariff, price })}
        />
      )
    case 'times':
      return <Steps steps={tariff.steps ?? []} onChange={(steps) => onChange({ ...tariff, steps })} />
    case 'market':
      return (
        <>
          <Field
            label={t('tariff.area')}
            hint={t('tariff.area_hint')}
            required
            maxLength={64}
            value={tariff.area ?? ''}
            onChange={({ target }) => onChange({ ...tariff, area: target.value.trim() })}
          />
          <OnTop tariff={tariff} onChange={onChange} />
        </>
      )
    case 'gateway':
      return (
        <>
          <p className="text-sm text-soft">{t('tariff.gateway_hint')}</p>
          <OnTop tariff={tariff} onChange={onChange} />
        </>
      )
  }
}

/** Taxes and fees. */
function OnTop({ tariff, onChange }: { tariff: Tariff; onChange(tariff: Tariff): void }) {
  const { t } = useWords()
  return (
    <div className="grid grid-cols-2 gap-3">
      <AmountField
        limits={PRICE_PER_KWH}
        label={t('tariff.factor')}
        value={tariff.factor ?? 1}
        onChange={(factor) => onChange({ ...tariff, factor })}
      />
      <AmountField
        limits={PRICE_PER_KWH}
        label={t('tariff.surcharge')}
        value={tariff.surcharge ?? 0}
        onChange={(surcharge) => onChange({ ...tariff, surcharge })}
      />
    </div>
  )
}

type Step = NonNullable<Tariff['steps']>[number]

function Steps({ steps, onChange }: { steps: Step[]; onChange(steps: Step[]): void }) {
  const { t } = useWords()
  const changed = (i: number, step: Partial<Step>) => steps.map((each, k) => (k === i ? { ...each, ...step } : each))
  return (
    <>
      {steps.map((step, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step has nothing but its place until its time is typed
        <div key={i} className="grid grid-cols-[1fr_1fr_auto] items-end gap-3">
          <TimeField label={t('tariff.from')} value={step.at} onChange={(at) => onChange(changed(i, { at }))} />
          <AmountField
            limits={PRICE_PER_KWH}
            label={t('tariff.price')}
            value={step.price}
            onChange={(price) => onChange(changed(i, { price }))}
          />
          <Button
            aria-label={t('tariff.remove', { time: step.at })}
            disabled={steps.length === 1}
            onClick={() => onChange(steps.filter((_, k) => k !== i))}
          >
            ×
          </Button>
        </div>
      ))}
      <div>
        <Button onClick={() => onChange([...steps, { at: '12:00', price: steps.at(-1)?.price ?? 0 }])}>
          {t('tariff.add')}
        </Button>
      </div>
    </>
  )
}
