import { useWords } from '../i18n/index.tsx'
import { untested } from '../record/checks.ts'
import { unfinishedRooms } from '../room/unfinished.ts'
import { Icon } from '../ui/icon.tsx'
import type { SetUp, Step, StepStanding } from './next-step.ts'
import { assignedOf, doneInWords, missingInWords } from './step-words.ts'

/** In the order in which a house is set up. */
export function stepsOf({ building, gateways, sensors, loops: { loops } }: SetUp): StepStanding[] {
  const hasRooms = building.rooms.length > 0
  const isTested = loops.some(({ room_id }) => room_id !== null) && untested(loops).length === 0
  return [
    { step: 'gateway', isDone: gateways.some(({ last_seen }) => last_seen !== null) },
    { step: 'sensors', isDone: sensors.some(({ reading }) => reading !== null) },
    { step: 'rooms', isDone: hasRooms && assignedOf(sensors) === sensors.length },
    { step: 'loops', isDone: hasRooms && unfinishedRooms(building).length === 0 },
    { step: 'test', isDone: isTested },
  ]
}

interface NavProps {
  steps: StepStanding[]
  current: Step
  onChoose(step: Step): void
}

export function StepsNav({ steps, current, onChoose }: NavProps) {
  const { t } = useWords()
  return (
    <ol
      aria-label={t('setup.steps')}
      className="card grid grid-cols-[repeat(5,minmax(min-content,1fr))] p-1 lg:sticky lg:top-4 lg:w-56 lg:shrink-0 lg:grid-cols-1"
    >
      {steps.map(({ step, isDone }, i) => (
        <li key={step} className="min-w-0">
          <button
            type="button"
            aria-current={step === current ? 'step' : undefined}
            className="flex w-full flex-col items-center gap-1 rounded-xl px-1 py-2 text-xs min-[420px]:text-sm lg:flex-row lg:gap-3 lg:px-3 lg:text-base text-soft hover:bg-sunken aria-[current]:bg-sunken aria-[current]:font-semibold aria-[current]:text-ink"
            onClick={() => onChoose(step)}
          >
            <span
              className={`flex size-8 items-center justify-center rounded-full border ${isDone ? 'border-accent bg-accent text-on-accent' : 'border-edge'}`}
            >
              {isDone ? <Icon name="check" className="size-5" /> : i + 1}
            </span>
            <span>{t(`setup.name_${step}`)}</span>
            {isDone && <span className="sr-only">{t('setup.step_done')}</span>}
          </button>
        </li>
      ))}
    </ol>
  )
}

/** What is missing in a step, or that nothing is. */
export function StepState({ shown: { step, isDone }, setUp }: { shown: StepStanding; setUp: SetUp }) {
  const { t } = useWords()
  return (
    <p role="status" className={`flex min-h-8 items-center gap-2 ${isDone ? 'text-soft' : 'font-medium'}`}>
      {isDone && <Icon name="check" className="size-5 shrink-0" />}
      {isDone ? doneInWords(step, setUp, t) : missingInWords(step, setUp, t)}
    </p>
  )
}
