import { type Programme, WEEKDAYS, type Weekday } from '@hypocaust/domain/facts'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { type Block, blocksOf, clockOf, moveEdge, removeStep, risesOf, SNAP_MIN, STEP_K, setSetback } from './blocks.ts'
import { copyDay, MINUTES_A_DAY } from './week.ts'

/** The block that is being edited. */
export interface Chosen {
  day: Weekday
  fromMin: number
}

interface Props {
  programme: Programme
  targetC: number
  chosen: Chosen
  /** How long before a rise the floor is heated for it, in minutes. */
  leadOf(fromK: number, toK: number): number | undefined
  onChoose(chosen: Chosen): void
  onChange(programme: Programme): void
}

const HOURS = [0, 6, 12, 18, 24]
/** A block narrower than this has no place for its temperature. */
const LEAST_LABELLED_MIN = 150
/** The depth of a usual night, to which the heights of blocks are drawn. */
const DRAWN_K = 4

const percent = (minute: number) => `${(minute / MINUTES_A_DAY) * 100}%`

/** Seven days under each other: blocks as high as the room shall be warm, their edges to be dragged. */
export function WeekLanes(props: Props) {
  const { t } = useWords()
  return (
    <section aria-label={t('programme.week')} className="card min-w-0 p-3 sm:p-4">
      <div aria-hidden="true" className="relative ml-11 h-5 text-xs text-soft">
        {HOURS.map((hour) => (
          <span
            key={hour}
            className="absolute -translate-x-1/2 tabular-nums first:translate-x-0 last:-translate-x-full"
            style={{ left: percent(hour * 60) }}
          >
            {hour}
          </span>
        ))}
      </div>
      <ul className="space-y-1.5">
        {WEEKDAYS.map((day) => (
          <Lane key={day} day={day} {...props} />
        ))}
      </ul>
    </section>
  )
}

function Lane({ day, ...props }: Props & { day: Weekday }) {
  const { programme, chosen } = props
  const track = useRef<HTMLDivElement>(null)
  const blocks = blocksOf(programme, day)
  const minuteAt = (clientX: number) => {
    const box = track.current?.getBoundingClientRect()
    return box ? ((clientX - box.left) / box.width) * MINUTES_A_DAY : 0
  }
  return (
    <li className="flex items-center gap-1" data-day={day}>
      <DayName day={day} {...props} />
      <div ref={track} className="lane relative h-14 min-w-0 flex-1 overflow-hidden rounded-lg bg-sunken">
        {HOURS.slice(1, -1).map((hour) => (
          <span
            key={hour}
            aria-hidden="true"
            className="absolute inset-y-0 w-px bg-line"
            style={{ left: percent(hour * 60) }}
          />
        ))}
        {risesOf(programme, day).map(({ step, fromMin, fromK, toK }) => (
          <Ramp key={step} fromMin={fromMin} lead={props.leadOf(fromK, toK)} fromK={fromK} toK={toK} />
        ))}
        {blocks.map((block) => (
          <BlockShape
            key={block.fromMin}
            block={block}
            targetC={props.targetC}
            isChosen={chosen.day === day && chosen.fromMin === block.fromMin}
            onChoose={() => props.onChoose({ day, fromMin: block.fromMin })}
          />
        ))}
        {blocks.map((block) =>
          block.step === null || block.fromMin === 0 ? null : (
            <Edge key={block.step} day={day} block={block} step={block.step} minuteAt={minuteAt} {...props} />
          ),
        )}
      </div>
    </li>
  )
}

const heightOf = (setback: number): number => 100 - 62 * Math.min(1, setback / DRAWN_K)

/** The floor is heated before the room is to be warm. */
function Ramp({
  fromMin,
  lead,
  fromK,
  toK,
}: {
  fromMin: number
  lead: number | undefined
  fromK: number
  toK: number
}) {
  if (!lead) return null
  const start = Math.max(0, fromMin - lead)
  const [low, high] = [heightOf(fromK), heightOf(toK)]
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      className="pointer-events-none absolute bottom-0 z-[1] h-full"
      style={{ left: percent(start), width: percent(fromMin - start) }}
    >
      <path d={`M0 ${100 - low}L100 ${100 - high}V100H0z`} fill="var(--warm)" opacity="0.28" />
      <path
        d={`M0 ${100 - low}L100 ${100 - high}`}
        stroke="var(--warm)"
        strokeWidth="2"
        fill="none"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

interface BlockProps {
  block: Block
  targetC: number
  isChosen: boolean
  onChoose(): void
}

function BlockShape({ block: { fromMin, toMin, setback }, targetC, isChosen, onChoose }: BlockProps) {
  const { t, format } = useWords()
  const degrees = format.degrees(targetC - setback)
  const isWarm = setback === 0
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-label={t('lanes.block', { degrees, from: clockOf(fromMin), to: clockOf(toMin % MINUTES_A_DAY) })}
      onClick={onChoose}
      className="absolute inset-y-0 flex items-end focus-visible:z-[3] focus-visible:-outline-offset-3"
      style={{ left: percent(fromMin), width: percent(toMin - fromMin) }}
    >
      <span
        className={`lane-block flex w-full items-start justify-center overflow-hidden border-t-2 pt-1 text-xs font-medium tabular-nums ${isWarm ? 'lane-warm' : 'lane-cool'} ${isChosen ? 'lane-chosen' : ''}`}
        style={{ height: `${heightOf(setback)}%` }}
      >
        {toMin - fromMin >= LEAST_LABELLED_MIN && `${degrees}°`}
      </span>
    </button>
  )
}

interface EdgeProps extends Props {
  day: Weekday
  block: Block
  step: number
  minuteAt(clientX: number): number
}

/** The beginning of a block: dragged with a finger or the mouse, moved by arrow keys; up and down change the temperature. */
function Edge({ day, block, step, minuteAt, programme, targetC, onChoose, onChange }: EdgeProps) {
  const { t, format } = useWords()
  const at = clockOf(block.fromMin)
  const degrees = format.degrees(targetC - block.setback)
  const moveTo = (minute: number) => {
    const next = moveEdge(programme, day, step, minute)
    onChange(next)
    const moved = blocksOf(next, day).find((each) => each.step === step)
    if (moved) onChoose({ day, fromMin: moved.fromMin })
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) moveTo(minuteAt(event.clientX))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, () => void> = {
      ArrowLeft: () => moveTo(block.fromMin - SNAP_MIN),
      ArrowRight: () => moveTo(block.fromMin + SNAP_MIN),
      ArrowUp: () => onChange(setSetback(programme, day, block, block.setback - STEP_K)),
      ArrowDown: () => onChange(setSetback(programme, day, block, block.setback + STEP_K)),
      Delete: () => onChange(removeStep(programme, day, step)),
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t('lanes.edge', { day: t(`weekday.${day}`), n: step + 1 })}
      aria-valuemin={0}
      aria-valuemax={MINUTES_A_DAY}
      aria-valuenow={block.fromMin}
      aria-valuetext={t('lanes.edge_value', { time: at, degrees })}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        onChoose({ day, fromMin: block.fromMin })
      }}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
      className="lane-edge absolute inset-y-0 z-[2] w-6 -translate-x-1/2 cursor-ew-resize touch-none"
      style={{ left: percent(block.fromMin) }}
    />
  )
}

/** A day is copied by dragging its name onto another day; a tap chooses it. */
function DayName({ day, programme, chosen, onChoose, onChange }: Props & { day: Weekday }) {
  const { t } = useWords()
  const [isDragged, setDragged] = useState(false)
  const dayUnder = (event: PointerEvent) =>
    document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-day]')?.dataset.day as
      | Weekday
      | undefined
  const drop = (event: PointerEvent) => {
    setDragged(false)
    const over = dayUnder(event)
    if (!over || over === day) return
    onChange(copyDay(programme, day, [over]))
    onChoose({ day: over, fromMin: 0 })
  }
  return (
    <button
      type="button"
      aria-pressed={chosen.day === day}
      title={t('lanes.drag_day')}
      onClick={() => onChoose({ day, fromMin: 0 })}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => setDragged(event.currentTarget.hasPointerCapture(event.pointerId))}
      onPointerUp={drop}
      className={`h-14 w-10 shrink-0 touch-none rounded-lg text-left text-sm ${chosen.day === day ? 'font-semibold' : 'text-soft'} ${isDragged ? 'cursor-copy' : 'cursor-grab'}`}
    >
      {t(`weekday.${day}`).slice(0, 2)} <span className="sr-only">{t('lanes.day', { day: t(`weekday.${day}`) })}</span>
    </button>
  )
}
