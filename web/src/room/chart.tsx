import type { AppPlan, RoomHistory } from '@hypocaust/domain'
import { DAY_S } from '@hypocaust/domain/facts'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Formats } from '../i18n/formats.ts'
import { useWords } from '../i18n/index.tsx'
import { type Scale, temperatureIn } from '../i18n/units.ts'
import { type Colours, useColours } from './colours.ts'
import { isLongSpan, LONG_SPAN_S } from './long-span.ts'
import { lastKnown } from './moment.ts'
import { followFingers } from './touch.ts'

interface ChartProps {
  history: RoomHistory
  /** What the plan expects after the last point; null where the chart does not reach beyond it. */
  plan: AppPlan | null
  bandK: number
  timeZone: string
  shows: Shown
  cursor: number | null
  onCursor(index: number | null): void
  onZoom(fromS: number, toS: number): void
  onReset(): void
}

/** What is drawn by choice. */
export interface Shown {
  humidity: boolean
  outdoor: boolean
}

const YEAR_SPAN_S = 120 * DAY_S
const BAND_SHOWN_FROM_S = 600
/** A sensor that speaks every ten minutes leaves steps of five empty; only a longer silence is a gap. */
const SILENCE_S = 1800
const AXIS_PX = 40
/** Temperature above, power below: full power fills a quarter of the height, and no temperature reaches down there. */
const POWER_RANGE = 4
const ABOVE_POWER = 0.42

/** Comfort band, setpoint, temperature, power as the floor; beyond now what the plan expects, with its error. */
export default function HistoryChart(props: ChartProps) {
  const { format } = useWords()
  const colours = useColours()
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const latest = useRef(props)
  latest.current = props
  const [width, setWidth] = useState(0)

  useEffect(() => {
    if (!place.current) return
    // A tab in the background hears of no sizes: the first is asked for.
    setWidth(place.current.clientWidth)
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])

  const { history, plan, bandK, timeZone, shows } = props
  useEffect(() => {
    if (!place.current || width === 0) return
    const options = optionsFor({
      history,
      plan,
      timeZone,
      shows,
      width,
      colours,
      format,
      latest: () => latest.current,
    })
    const drawn = new uPlot(options, columnsOf(history, plan, bandK, temperatureIn(format.unit)), place.current)
    chart.current = drawn
    const letGo = followFingers(drawn.over, {
      span: () => ({ fromS: drawn.scales.x?.min ?? 0, toS: drawn.scales.x?.max ?? 0 }),
      onMove: (min, max) => drawn.setScale('x', { min, max }),
      onEnd: (fromS, toS) => latest.current.onZoom(fromS, toS),
    })
    return () => {
      letGo()
      chart.current = undefined
      drawn.destroy()
    }
  }, [history, plan, bandK, timeZone, shows, width, colours, format])

  const { cursor } = props
  useEffect(() => {
    const { current } = chart
    const time = cursor === null ? undefined : [...history.times, ...(plan?.times ?? [])][cursor]
    if (!current || time === undefined) return
    const left = Math.round(current.valToPos(time, 'x'))
    if (Math.abs((current.cursor.left ?? -10) - left) > 1) current.setCursor({ left, top: 0 }, false)
  }, [cursor, history, plan])

  return <div ref={place} aria-hidden="true" className="h-72 w-full overflow-hidden" />
}

function columnsOf(history: RoomHistory, plan: AppPlan | null, bandK: number, { shown }: Scale): uPlot.AlignedData {
  type Values = (number | null)[]
  const past = history.times.map(() => null)
  const ahead = plan?.times ?? []
  const degrees = (values: Values, byK = 0) => values.map((value) => (value === null ? null : shown(value + byK)))
  const before = (values: Values) => [...values, ...ahead.map(() => null)]
  const after = (values: Values) => [...past, ...values]
  const setpoint: Values = [...history.target, ...(plan?.setpoint ?? [])]
  const expected = plan?.temperature ?? []
  const edge = (sign: 1 | -1) => expected.map((value, i) => value + sign * (plan?.error[i] ?? 0))
  // The expectation goes on from the last reading.
  const last = lastKnown(history)
  const joined = after(expected).map((value, i) => (plan && i === last ? (history.temperature[last] ?? null) : value))
  return [
    [...history.times, ...ahead],
    degrees(setpoint, -bandK),
    degrees(setpoint, bandK),
    degrees(before(history.temperature_min)),
    degrees(before(history.temperature_max)),
    before(history.power),
    degrees(before(history.outdoor)),
    before(history.humidity),
    before(history.surface_humidity),
    degrees(setpoint),
    degrees(before(history.temperature)),
    degrees(after(edge(-1))),
    degrees(after(edge(1))),
    after(plan?.power ?? []),
    degrees(joined),
  ]
}

interface Drawing {
  history: RoomHistory
  plan: AppPlan | null
  timeZone: string
  shows: Shown
  width: number
  colours: Colours
  format: Formats
  latest(): ChartProps
}

function optionsFor(drawing: Drawing): uPlot.Options {
  const { plan, timeZone, width, colours, format, latest } = drawing
  return {
    width,
    height: 288,
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone),
    cursor: {
      y: false,
      points: { size: 8 },
      drag: { x: true, y: false, setScale: false },
      bind: {
        dblclick: () => () => {
          latest().onReset()
          return null
        },
      },
    },
    scales: {
      power: { range: [0, POWER_RANGE] },
      humidity: { range: [0, 100] },
      out: { range: (_chart, low, high) => [Math.floor(low ?? 0) - 2, Math.ceil(high ?? 10) + 2] },
      y: {
        range: (_chart, low, high) => {
          const [least, most] = [(low ?? 18) - 0.5, (high ?? 22) + 0.5]
          return [least - ((most - least) * ABOVE_POWER) / (1 - ABOVE_POWER), most]
        },
      },
    },
    axes: axesFor(drawing),
    series: seriesFor(drawing),
    bands: [
      { series: [2, 1], fill: colours.band },
      { series: [4, 3], fill: colours.extremes },
      { series: [12, 11], fill: colours.extremes },
    ],
    hooks: {
      drawClear: [(chart) => tintPlan(chart, plan, colours.night)],
      draw: [(chart) => drawPowerScale(chart, colours, format), (chart) => drawPrices(chart, plan, colours)],
      setCursor: [(chart) => latest().onCursor(chart.cursor.idx ?? null)],
      setSelect: [
        (chart) => {
          if (chart.select.width < 8) return
          const fromS = chart.posToVal(chart.select.left, 'x')
          const toS = chart.posToVal(chart.select.left + chart.select.width, 'x')
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          latest().onZoom(Math.round(fromS), Math.round(toS))
        },
      ],
    },
  }
}

const showsOutdoor = ({ history, shows }: Drawing): boolean =>
  shows.outdoor && history.outdoor.some((value) => value !== null)

function axesFor(drawing: Drawing): uPlot.Axis[] {
  const { timeZone, colours, format } = drawing
  const text = { stroke: colours.soft, font: `12px ${colours.font}`, ticks: { show: false } }
  return [
    {
      ...text,
      size: 32,
      grid: { show: false },
      values: (chart, splits) => splits.map((at) => timeLabel(chart, at, format, timeZone)),
    },
    {
      ...text,
      size: AXIS_PX,
      grid: { stroke: colours.line, width: 1 },
      values: (chart, splits) => splits.map((value) => (isAbovePower(chart, value) ? `${format.whole(value)}°` : '')),
      incrs: [1, 2, 5, 10],
    },
    {
      ...text,
      show: showsOutdoor(drawing),
      scale: 'out',
      side: 1,
      size: AXIS_PX,
      stroke: colours.outdoor,
      grid: { show: false },
      incrs: [1, 2, 5, 10],
      values: (_chart, splits) => splits.map((value) => `${format.whole(value)}°`),
    },
  ]
}

function seriesFor(drawing: Drawing): uPlot.Series[] {
  const { history, shows, colours } = drawing
  const stepped = uPlot.paths.stepped?.({ align: 1 })
  // A step of the plan is named by its end.
  const steppedBefore = uPlot.paths.stepped?.({ align: -1 })
  const silenceS = Math.max(SILENCE_S, 2 * history.step_s)
  const gaps: uPlot.Series.GapsRefiner = (chart, _series, _from, _to, found) =>
    found.filter(([left, right]) => chart.posToVal(right, 'x', true) - chart.posToVal(left, 'x', true) > silenceS)
  const edge = { stroke: 'transparent', points: { show: false }, gaps }
  const line = (more: Partial<uPlot.Series>): uPlot.Series => ({ points: { show: false }, gaps, ...more })
  const isLong = isLongSpan(history)
  const isRolledUp = history.step_s >= BAND_SHOWN_FROM_S
  return [
    {},
    edge,
    edge,
    { ...edge, show: isRolledUp },
    { ...edge, show: isRolledUp },
    line({
      scale: 'power',
      stroke: colours.warm,
      fill: colours.warmFill,
      width: 1,
      ...(stepped && { paths: stepped }),
    }),
    line({ scale: 'out', stroke: colours.outdoor, width: 2, dash: [2, 4], show: showsOutdoor(drawing) }),
    line({ scale: 'humidity', stroke: colours.humid, width: 1.5, dash: [6, 3], show: shows.humidity }),
    line({ scale: 'humidity', stroke: colours.humid, width: 1.5, dash: [1, 3], show: shows.humidity }),
    line({
      stroke: isLong ? 'transparent' : colours.setpoint,
      width: 1.5,
      dash: [8, 4],
      ...(stepped && { paths: stepped }),
    }),
    line({ stroke: colours.ink, width: isLong ? 1.5 : 2.25 }),
    edge,
    edge,
    line({
      scale: 'power',
      stroke: colours.warm,
      fill: colours.warmFill,
      width: 1,
      dash: [3, 3],
      ...(steppedBefore && { paths: steppedBefore }),
    }),
    line({ stroke: colours.ink, width: 2, dash: [5, 4] }),
  ]
}

/** Where the power is drawn, a scale of temperatures would only confuse. */
function isAbovePower(chart: uPlot, value: number): boolean {
  const { min = 0, max = 1 } = chart.scales.y ?? {}
  return value - min >= ABOVE_POWER * (max - min)
}

function timeLabel(chart: uPlot, atS: number, format: Formats, timeZone: string): string {
  const span = (chart.scales.x?.max ?? 0) - (chart.scales.x?.min ?? 0)
  const at = atS * 1000
  if (span > YEAR_SPAN_S) return format.month(at, timeZone)
  if (span > LONG_SPAN_S) return format.day(at, timeZone)
  const clock = format.clock(at, timeZone)
  return clock === '00:00' ? format.weekday(at, timeZone) : clock
}

/** Where full and half power would reach. */
function drawPowerScale(chart: uPlot, colours: Colours, format: Formats): void {
  const { ctx, bbox } = chart
  ctx.save()
  ctx.font = `${11 * devicePixelRatio}px ${colours.font}`
  ctx.fillStyle = colours.warm
  ctx.strokeStyle = colours.warm
  ctx.setLineDash([2 * devicePixelRatio, 6 * devicePixelRatio])
  ctx.textBaseline = 'bottom'
  for (const share of [0.5, 1]) {
    const y = Math.round(chart.valToPos(share, 'power', true))
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.globalAlpha = 0.4
    ctx.stroke()
    ctx.globalAlpha = 1
    ctx.fillText(format.percent(share), bbox.left + 4 * devicePixelRatio, y)
  }
  ctx.restore()
}

/** What lies ahead is tinted, so that a plan is never taken for a measurement. */
function tintPlan(chart: uPlot, plan: AppPlan | null, colour: string): void {
  if (!plan) return
  const { ctx, bbox, data } = chart
  const nowS = data[0]?.[data[0].length - plan.times.length - 1]
  const left = nowS === undefined ? bbox.left : Math.max(bbox.left, chart.valToPos(nowS, 'x', true))
  ctx.save()
  ctx.fillStyle = colour
  ctx.fillRect(left, bbox.top, bbox.left + bbox.width - left, bbox.height)
  ctx.restore()
}

const PRICES_PX = 6

/** The price of each hour ahead as a strip under the power: the darker, the dearer. */
function drawPrices(chart: uPlot, plan: AppPlan | null, colours: Colours): void {
  const known = plan?.price.filter((price) => price !== null) ?? []
  const [low, high] = [Math.min(...known), Math.max(...known)]
  if (!plan || known.length === 0 || low === high) return
  const { ctx, bbox } = chart
  const height = PRICES_PX * devicePixelRatio
  ctx.save()
  ctx.fillStyle = colours.ink
  plan.times.forEach((endS, i) => {
    const price = plan.price[i]
    const startS = plan.times[i - 1] ?? endS
    if (price == null) return
    const left = chart.valToPos(startS, 'x', true)
    ctx.globalAlpha = 0.08 + (0.72 * (price - low)) / (high - low)
    ctx.fillRect(left, bbox.top + bbox.height - height, chart.valToPos(endS, 'x', true) - left, height)
  })
  ctx.restore()
}
