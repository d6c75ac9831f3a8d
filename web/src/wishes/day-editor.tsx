import type { AppRoom, AppWarmUp } from '@hypocaust/domain'
import {
  MOST_STEPS_A_DAY,
  type Programme,
  type ProgrammeStep,
  SETBACK_K,
  WEEKDAYS,
  type Weekday,
} from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useNow } from '../api/now.ts'
import { warmUpQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Section, Select } from '../ui/basics.tsx'
import { DegreesField } from '../ui/number-field.tsx'
import { TimeField } from '../ui/time-field.tsx'
import { copyDay, inOrder, isTwice, setbackBefore, stepsOf, withNewStep } from './week.ts'

interface Props {
  room: AppRoom
  timeZone: string
  day: Weekday
  programme: Programme
  onChange(programme: Programme): void
}

/** The steps of a day, as temperatures; stored are differences to the target, so that one change of it moves the week. */
export function DayEditor({ room, timeZone, day, programme, onChange }: Props) {
  const { t } = useWords()
  const steps = stepsOf(programme, day)
  const before = setbackBefore(programme, day)
  const set = (next: ProgrammeStep[]) => onChange({ ...programme, [day]: next })
  return (
    <Section title={t(`weekday.${day}`)}>
      {steps.length === 0 && <p className="text-soft">{t('programme.no_steps')}</p>}
      <ol className="space-y-4">
        {steps.map((step, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no name, and its time is being edited
          <li key={i}>
            <StepFields
              room={room}
              timeZone={timeZone}
              step={step}
              setbackBefore={earlierSetback(steps, step, before)}
              complaint={isTwice(steps, step.at) ? t('programme.twice') : undefined}
              onChange={(next) => set(steps.map((each, k) => (k === i ? next : each)))}
              onRemove={() => set(steps.filter((_, k) => k !== i))}
            />
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-end gap-3">
        <Button icon="plus" disabled={steps.length >= MOST_STEPS_A_DAY} onClick={() => set(withNewStep(steps, before))}>
          {t('programme.add')}
        </Button>
        <CopyDay day={day} onCopy={(days) => onChange(copyDay(programme, day, days))} />
      </div>
    </Section>
  )
}

function earlierSetback(steps: ProgrammeStep[], step: ProgrammeStep, before: number): number {
  const earlier = inOrder(steps).filter(({ at }) => at < step.at)
  return earlier[earlier.length - 1]?.setback ?? before
}

interface StepProps {
  room: AppRoom
  timeZone: string
  step: ProgrammeStep
  setbackBefore: number
  complaint: string | undefined
  onChange(step: ProgrammeStep): void
  onRemove(): void
}

const tenth = (value: number): number => Math.round(value * 10) / 10

function StepFields({ room, timeZone, step, setbackBefore: before, complaint, onChange, onRemove }: StepProps) {
  const { t, format } = useWords()
  const target = room.target_temperature
  return (
    <div className="space-y-1">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TimeField
            label={t('programme.at')}
            value={step.at}
            complaint={complaint}
            onChange={(at) => onChange({ ...step, at })}
          />
        </div>
        <div className="min-w-0 flex-1">
          <DegreesField
            label={t('programme.degrees', { unit: format.unitName })}
            value={target - step.setback}
            min={target - SETBACK_K.maximum}
            max={target}
            step={0.5}
            onChange={(celsius) => onChange({ ...step, setback: tenth(target - celsius) })}
          />
        </div>
        <Button aria-label={t('programme.remove_step', { time: step.at })} onClick={onRemove}>
          {t('notify.remove')}
        </Button>
      </div>
      {step.setback < before && (
        <Preview
          roomId={room.id}
          timeZone={timeZone}
          at={step.at}
          fromC={target - before}
          toC={target - step.setback}
        />
      )}
    </div>
  )
}

interface PreviewProps {
  roomId: string
  timeZone: string
  at: string
  fromC: number
  toC: number
}

/** What a warmer step means: from when the floor is heated for it, by the clock of the building. */
function Preview({ roomId, timeZone, at, fromC, toC }: PreviewProps) {
  const { t, format } = useWords()
  const now = useNow()
  const wish = useDeferredValue(`at=${encodeURIComponent(at)}&from=${tenth(fromC)}&to=${tenth(toC)}`)
  const { data } = useQuery(warmUpQuery(roomId, wish))
  return (
    <p role="status" className="min-h-5 text-sm text-soft">
      {data?.heats_from ? previewText(data, data.heats_from) : ''}
    </p>
  )
  function previewText({ setpoint, in_time }: AppWarmUp, heatsFrom: string): string {
    const values = {
      degrees: format.degrees(setpoint),
      time: at,
      from: format.until(Date.parse(heatsFrom), now, timeZone),
    }
    return t(in_time ? 'programme.preview' : 'programme.preview_late', values)
  }
}

const GROUPS = { all: WEEKDAYS, weekdays: WEEKDAYS.slice(0, 5), weekend: WEEKDAYS.slice(5) } as const

function CopyDay({ day, onCopy }: { day: Weekday; onCopy(days: readonly Weekday[]): void }) {
  const { t } = useWords()
  const choose = (value: string) => {
    const days = value in GROUPS ? GROUPS[value as keyof typeof GROUPS] : [value as Weekday]
    onCopy(days)
  }
  return (
    <Select
      label={t('programme.copy', { day: t(`weekday.${day}`) })}
      value=""
      onChange={({ target }) => target.value !== '' && choose(target.value)}
    >
      <option value="">{t('programme.copy_choose')}</option>
      <option value="all">{t('programme.copy_all')}</option>
      <option value="weekdays">{t('night.weekdays')}</option>
      <option value="weekend">{t('night.weekend')}</option>
      {WEEKDAYS.filter((other) => other !== day).map((other) => (
        <option key={other} value={other}>
          {t(`weekday.${other}`)}
        </option>
      ))}
    </Select>
  )
}
