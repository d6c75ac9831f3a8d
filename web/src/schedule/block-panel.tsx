import { type Programme, SETBACK_K, WEEKDAYS, type Weekday } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { Button } from '../ui/basics.tsx'
import { Stepper } from '../ui/stepper.tsx'
import {
  type Block,
  blocksOf,
  clockOf,
  moveEdge,
  removeStep,
  SNAP_MIN,
  STEP_K,
  setSetback,
  split,
  TEMPLATES,
  type Template,
} from './blocks.ts'
import { copyDay } from './week.ts'
import type { Chosen } from './week-lanes.tsx'

interface Props {
  targetC: number
  programme: Programme
  chosen: Chosen
  /** What heating for the beginning of the block means. */
  preview: string | undefined
  onChoose(chosen: Chosen): void
  onChange(programme: Programme): void
}

/** What was tapped: its temperature and its beginning by steppers, and what can be done with its day. */
export function BlockPanel(props: Props) {
  const { t, format } = useWords()
  const { programme, chosen, targetC, onChange, onChoose } = props
  const { day } = chosen
  const blocks = blocksOf(programme, day)
  const block = blocks.find(({ fromMin }) => fromMin === chosen.fromMin) ?? (blocks[0] as Block)
  const { step } = block
  const isMovable = step !== null && block.fromMin > 0
  const degrees = format.degrees(targetC - block.setback)
  const move = (byMin: number) => {
    if (step === null) return
    const next = moveEdge(programme, day, step, block.fromMin + byMin)
    onChange(next)
    onChoose({ day, fromMin: blocksOf(next, day).find((each) => each.step === step)?.fromMin ?? 0 })
  }
  const halved = split(programme, day, block)
  return (
    <section aria-label={t('lanes.chosen')} className="card space-y-4 p-4">
      <div>
        <h2 className="text-lg font-semibold first-letter:uppercase">{t(`weekday.${day}`)}</h2>
        <p className="text-soft tabular-nums">
          {t('lanes.span', { from: clockOf(block.fromMin), to: clockOf(block.toMin % 1440) })}
        </p>
      </div>
      <div className="grid grid-cols-2 gap-3">
        <Stepper
          label={t('lanes.temperature')}
          value={`${degrees}°`}
          lower={t('lanes.cooler')}
          raise={t('lanes.warmer')}
          isLeast={block.setback >= SETBACK_K.maximum}
          isMost={block.setback <= 0}
          onStep={(direction) => onChange(setSetback(programme, day, block, block.setback - direction * STEP_K))}
        />
        <Stepper
          label={t('lanes.from')}
          value={clockOf(block.fromMin)}
          lower={t('lanes.earlier')}
          raise={t('lanes.later')}
          isLeast={!isMovable}
          isMost={!isMovable}
          onStep={(direction) => move(direction * SNAP_MIN)}
        />
      </div>
      <p role="status" className="min-h-10 text-sm text-soft">
        {props.preview}{' '}
        {block.setback === 0
          ? t('lanes.at_comfort')
          : t('lanes.below', { kelvin: format.kelvin(block.setback), degrees: format.degrees(targetC) })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button icon="plus" disabled={!halved} onClick={() => halved && onChange(halved)}>
          {t('programme.add')}
        </Button>
        {step !== null && blocks.length > 1 && (
          <Button
            onClick={() => {
              onChange(removeStep(programme, day, step))
              onChoose({ day, fromMin: blocks[blocks.indexOf(block) - 1]?.fromMin ?? 0 })
            }}
          >
            {t('lanes.remove')}
          </Button>
        )}
      </div>
      <DayTools {...props} day={day} />
    </section>
  )
}

const GROUPS = [
  { key: 'all', days: WEEKDAYS },
  { key: 'weekdays', days: WEEKDAYS.slice(0, 5) },
  { key: 'weekend', days: WEEKDAYS.slice(5) },
] as const

function DayTools({ day, programme, onChange, onChoose }: Props & { day: Weekday }) {
  const { t } = useWords()
  return (
    <>
      <fieldset className="space-y-2">
        <legend className="text-sm font-medium first-letter:uppercase">
          {t('programme.copy', { day: t(`weekday.${day}`) })}
        </legend>
        <div className="flex flex-wrap gap-2">
          {GROUPS.map(({ key, days }) => (
            <Chip key={key} onClick={() => onChange(copyDay(programme, day, days))}>
              {t(`lanes.days_${key}`)}
            </Chip>
          ))}
        </div>
      </fieldset>
      <fieldset className="space-y-2">
        <legend className="text-sm font-medium first-letter:uppercase">
          {t('lanes.templates', { day: t(`weekday.${day}`) })}
        </legend>
        <div className="flex flex-wrap gap-2">
          {(Object.keys(TEMPLATES) as Template[]).map((name) => (
            <Chip
              key={name}
              onClick={() => {
                onChange({ ...programme, [day]: TEMPLATES[name].map((step) => ({ ...step })) })
                onChoose({ day, fromMin: 0 })
              }}
            >
              {t(`lanes.template_${name}`)}
            </Chip>
          ))}
        </div>
      </fieldset>
    </>
  )
}

const Chip = ({ onClick, children }: { onClick(): void; children: string }) => (
  <button
    type="button"
    onClick={onClick}
    className="min-h-11 rounded-full border border-line px-4 text-sm hover:bg-sunken"
  >
    {children}
  </button>
)
