import type { AppRoom } from '@hypocaust/domain'
import { BLINDS_ABOVE_C, SIDES, type Side } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { Section } from '../ui/basics.tsx'
import { Switch } from '../ui/controls.tsx'
import { ManyChips } from '../ui/many-chips.tsx'
import { DegreesField } from '../ui/number-field.tsx'

const USUAL_C = 25

interface Props {
  blinds: AppRoom['blinds']
  /** Those that the gateways of the building can move. */
  covers: readonly string[]
  onChange(patch: Pick<AppRoom, 'blinds'>): void
}

/** Whether the windows of a room have blinds, on which sides, and how warm it may become before they are closed. */
export function BlindsChoice({ blinds, covers, onChange }: Props) {
  const { t, format } = useWords()
  const choose = (sides: string[]) => {
    const known = SIDES.filter((side) => sides.includes(side))
    // Without any side there are no blinds.
    onChange({ blinds: known.length === 0 ? null : { above: USUAL_C, ...blinds, sides: known } })
  }
  // One that is chosen can be left out also while no gateway reports it.
  const shown = [...new Set([...covers, ...(blinds?.covers ?? [])])]
  return (
    <Section title={t('blinds.title')}>
      <Switch
        label={t('blinds.has')}
        hint={t('blinds.hint')}
        checked={blinds !== null}
        onChange={(has) => choose(has ? ['south'] : [])}
      />
      {blinds && (
        <>
          <ManyChips
            label={t('blinds.sides')}
            choices={SIDES.map((value: Side) => ({ value, label: t(`blinds.${value}`) }))}
            chosen={blinds.sides}
            onChange={choose}
          />
          <DegreesField
            label={t('blinds.above', { unit: format.unitName })}
            value={blinds.above}
            min={BLINDS_ABOVE_C.minimum}
            max={BLINDS_ABOVE_C.maximum}
            step={0.5}
            onChange={(above) => onChange({ blinds: { ...blinds, above } })}
          />
          {shown.length > 0 && (
            <ManyChips
              label={t('blinds.covers')}
              hint={t('blinds.covers_hint')}
              choices={shown.map((value) => ({ value, label: value }))}
              chosen={blinds.covers ?? []}
              onChange={(chosen) => onChange({ blinds: { ...blinds, covers: chosen } })}
            />
          )}
        </>
      )}
    </Section>
  )
}
