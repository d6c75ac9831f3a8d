import type { AppBuilding, PresenceRule } from '@hypocaust/domain'
import { MAX_TARGET_C, MIN_TARGET_C, PRESENCE_RULE } from '@hypocaust/domain/facts'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Problem, Section } from '../ui/basics.tsx'
import { Chips } from '../ui/chips.tsx'
import { Switch } from '../ui/controls.tsx'
import { useDeed } from '../ui/form.ts'
import { DegreesField } from '../ui/number-field.tsx'

const AFTER_MINUTES = [15, 30, 60, 120]
const WARM_AGAIN_HOURS = [1, 2, 3, 4, 6, 12]

/** What follows when nobody is home, in words that say it. */
export function PresenceRuleChoice({ building, rule }: { building: AppBuilding; rule: PresenceRule | null }) {
  const { t, format } = useWords()
  const { problem, run } = useDeed()
  const choose = (presence_rule: PresenceRule | null) =>
    run(async () => {
      await api<AppBuilding>('PATCH', `/buildings/${building.id}`, { presence_rule })
      await queryClient.invalidateQueries({ queryKey: buildingsKey })
    })
  const inWords = (minutes: number) =>
    minutes % 60 === 0 ? t('presence.hours', { n: minutes / 60 }) : t('unit.minutes', { n: minutes })
  return (
    <Section title={t('presence.rule')}>
      <Switch
        label={t('presence.lower')}
        hint={t('presence.lower_hint')}
        checked={rule !== null}
        onChange={(isOn) => choose(isOn ? PRESENCE_RULE.usual : null)}
      />
      {rule && (
        <>
          <Chips
            label={t('presence.after')}
            value={String(rule.after_minutes)}
            choices={choicesOf(AFTER_MINUTES, rule.after_minutes, inWords)}
            onChange={(minutes) => choose({ ...rule, after_minutes: Number(minutes) })}
          />
          <DegreesField
            label={t('presence.at_most', { unit: format.unitName })}
            value={rule.target_temperature}
            min={MIN_TARGET_C}
            max={MAX_TARGET_C}
            step={0.5}
            onChange={(target_temperature) => choose({ ...rule, target_temperature })}
          />
          <Chips
            label={t('presence.warm_again')}
            hint={t('presence.warm_again_hint')}
            value={String(rule.warm_again_hours)}
            choices={choicesOf(WARM_AGAIN_HOURS, rule.warm_again_hours, (hours) => inWords(hours * 60))}
            onChange={(hours) => choose({ ...rule, warm_again_hours: Number(hours) })}
          />
          <p className="rounded-xl bg-sunken p-3">
            {t('presence.in_words', {
              after: inWords(rule.after_minutes),
              degrees: format.degrees(rule.target_temperature),
              again: inWords(rule.warm_again_hours * 60),
            })}
          </p>
        </>
      )}
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}

/** A value that was chosen elsewhere is among them. */
const choicesOf = (usual: number[], chosen: number, inWords: (value: number) => string) =>
  [...new Set([...usual, chosen])]
    .toSorted((a, b) => a - b)
    .map((value) => ({ value: String(value), label: inWords(value) }))
