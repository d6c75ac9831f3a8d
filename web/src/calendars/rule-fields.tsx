import type { AppRoom, CalendarRule } from '@hypocaust/domain'
import { AWAY_C, CALENDAR_EFFECTS, type CalendarEffect, USUAL_CALENDAR_AWAY_C, WEEKDAYS } from '@hypocaust/domain/facts'
import { useId } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Button, Field } from '../ui/basics.tsx'
import { Switch } from '../ui/controls.tsx'
import { ManyChips } from '../ui/many-chips.tsx'
import { DegreesField } from '../ui/number-field.tsx'
import { Picker } from '../ui/picker.tsx'
import { TimeField } from '../ui/time-field.tsx'
import { ruleInWords } from './words.ts'

interface Props {
  rooms: AppRoom[]
  rule: CalendarRule
  number: number
  onChange(rule: CalendarRule): void
  onRemove(): void
}

/** What each effect begins with. */
const USUAL: Record<CalendarEffect, Partial<CalendarRule>> = {
  away: { target_temperature: USUAL_CALENDAR_AWAY_C },
  comfort: {},
  day: { follows: 'saturday' },
}

/** Which events, what follows, and where; with the sentence that it makes. */
export function RuleFields({ rooms, rule, number, onChange, onRemove }: Props) {
  const id = useId()
  const words = useWords()
  const { t } = words
  const { title, room_ids, effect } = rule
  return (
    <section aria-labelledby={id} className="space-y-3 rounded-xl bg-sunken p-4">
      <h4 id={id} className="font-medium">
        {t('calendars.rule_number', { n: number })}
      </h4>
      <Field
        label={t('calendars.title_contains')}
        hint={t('calendars.title_hint')}
        autoComplete="off"
        maxLength={100}
        value={title}
        onChange={({ target }) => onChange({ ...rule, title: target.value })}
      />
      <Picker<CalendarEffect>
        label={t('calendars.then')}
        value={effect}
        choices={CALENDAR_EFFECTS.map((value) => ({ value, label: t(`calendars.effect_${value}`) }))}
        onChange={(next) => onChange({ title, room_ids, effect: next, ...USUAL[next] })}
      />
      <EffectFields rule={rule} onChange={onChange} />
      <ManyChips
        label={t('calendars.rooms')}
        hint={t('calendars.rooms_hint')}
        choices={rooms.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={room_ids ?? []}
        onChange={(chosen) => onChange({ ...rule, room_ids: chosen.length === 0 ? null : chosen })}
      />
      <p className="rounded-xl bg-raised p-3">{ruleInWords(rule, rooms, words)}</p>
      <Button look="quiet" onClick={onRemove} aria-label={t('calendars.remove_rule_number', { n: number })}>
        {t('calendars.remove_rule')}
      </Button>
    </section>
  )
}

function EffectFields({ rule, onChange }: Pick<Props, 'rule' | 'onChange'>) {
  const { t, format } = useWords()
  const { title, room_ids, effect, from, to } = rule
  switch (effect) {
    case 'away':
      return (
        <DegreesField
          label={t('calendars.at_most', { unit: format.unitName })}
          value={rule.target_temperature ?? USUAL_CALENDAR_AWAY_C}
          min={AWAY_C.minimum}
          max={AWAY_C.maximum}
          step={0.5}
          onChange={(target_temperature) => onChange({ ...rule, target_temperature })}
        />
      )
    case 'comfort':
      return (
        <>
          <Switch
            label={t('calendars.between')}
            hint={t('calendars.between_hint')}
            checked={from !== undefined}
            onChange={(isOn) => onChange({ title, room_ids, effect, ...(isOn && { from: '08:00', to: '17:00' }) })}
          />
          {from !== undefined && to !== undefined && (
            <div className="grid grid-cols-2 gap-2">
              <TimeField
                label={t('calendars.from')}
                value={from}
                onChange={(next) => onChange({ ...rule, from: next })}
              />
              <TimeField
                label={t('calendars.to')}
                value={to}
                complaint={to > from ? undefined : t('calendars.to_later')}
                onChange={(next) => onChange({ ...rule, to: next })}
              />
            </div>
          )}
        </>
      )
    case 'day':
      return (
        <Picker
          label={t('calendars.follows')}
          value={rule.follows ?? 'saturday'}
          choices={WEEKDAYS.map((value) => ({ value, label: t(`weekday.${value}`) }))}
          onChange={(follows) => onChange({ ...rule, follows })}
        />
      )
  }
}
