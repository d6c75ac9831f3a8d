import type { HeatSource } from '@hypocaust/domain'
import { EFFICIENCY, HEAT_PUMP_COP, HEAT_SOURCES, SUPPLY_LIMIT_C } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Button } from '../ui/basics.tsx'
import { Chips } from '../ui/chips.tsx'
import { Switch } from '../ui/controls.tsx'
import { Form } from '../ui/form-element.tsx'
import { DegreesField } from '../ui/number-field.tsx'
import { say } from '../ui/toast.tsx'
import { OptionalAmountField } from './amount-field.tsx'

type Kind = HeatSource['kind']
type Supply = NonNullable<HeatSource['supply']>

interface Props {
  source: HeatSource | null
  isBusy: boolean
  onSave(source: HeatSource | null): Promise<boolean>
}

/** A kind is chosen, what is known of it is filled in, then all of it is saved. */
export function HeatSourceForm({ source, isBusy, onSave }: Props) {
  const { t } = useWords()
  const [draft, setDraft] = useState(source)
  const save = async () => {
    if (await onSave(draft)) say({ text: t('heat_source.saved') })
  }
  return (
    <Form onSubmit={save}>
      <Chips<Kind | ''>
        label={t('heat_source.label')}
        value={draft?.kind ?? ''}
        choices={[
          ...HEAT_SOURCES.map((kind) => ({ value: kind, label: t(`heat_source.${kind}`) })),
          { value: '', label: t('energy.unknown') },
        ]}
        onChange={(kind) => setDraft(kind === '' ? null : ofKind(kind, source))}
      />
      {draft && <Figures key={draft.kind} source={draft} onChange={setDraft} />}
      {JSON.stringify(draft) !== JSON.stringify(source) && (
        <Button look="main" type="submit" disabled={isBusy}>
          {t('heat_source.save')}
        </Button>
      )}
    </Form>
  )
}

/** Figures of another kind do not hold for this one. */
const ofKind = (kind: Kind, saved: HeatSource | null): HeatSource => (saved?.kind === kind ? saved : { kind })

function Figures({ source, onChange }: { source: HeatSource; onChange(source: HeatSource): void }) {
  const { t } = useWords()
  const { cop, efficiency, supply, ...rest } = source
  const withSupply = (next: Supply | undefined) =>
    onChange({ ...without(source, 'supply'), ...(next && { supply: next }) })
  return (
    <>
      {rest.kind === 'heat_pump' ? (
        <OptionalAmountField
          label={t('heat_source.cop')}
          hint={t('heat_source.cop_hint')}
          limits={HEAT_PUMP_COP}
          value={cop}
          onChange={(value) => onChange({ ...without(source, 'cop'), ...(value !== undefined && { cop: value }) })}
        />
      ) : (
        <OptionalAmountField
          label={t('heat_source.efficiency')}
          hint={t('heat_source.efficiency_hint')}
          limits={EFFICIENCY}
          value={efficiency}
          onChange={(value) =>
            onChange({ ...without(source, 'efficiency'), ...(value !== undefined && { efficiency: value }) })
          }
        />
      )}
      {rest.kind !== 'electric' && (
        <Switch
          label={t('heat_source.supply')}
          hint={t('heat_source.supply_hint')}
          checked={supply !== undefined}
          onChange={(isOn) => withSupply(isOn ? { max: SUPPLY_LIMIT_C.usualMaximum } : undefined)}
        />
      )}
      {supply && <SupplyLimits supply={supply} onChange={withSupply} />}
    </>
  )
}

function SupplyLimits({ supply, onChange }: { supply: Supply; onChange(supply: Supply): void }) {
  const { t, format } = useWords()
  const { minimum: lowest, maximum: highest, usualMinimum } = SUPPLY_LIMIT_C
  const min = supply.min ?? usualMinimum
  return (
    <div className="grid grid-cols-2 gap-3">
      <DegreesField
        label={t('heat_source.supply_min', { unit: format.unitName })}
        value={min}
        min={lowest}
        max={supply.max}
        step={1}
        onChange={(next) => onChange({ ...supply, min: next })}
      />
      <DegreesField
        label={t('heat_source.supply_max', { unit: format.unitName })}
        value={supply.max}
        min={min}
        max={highest}
        step={1}
        onChange={(max) => onChange({ ...supply, max })}
      />
    </div>
  )
}

function without(source: HeatSource, name: 'cop' | 'efficiency' | 'supply'): HeatSource {
  const { [name]: _, ...rest } = source
  return rest
}
