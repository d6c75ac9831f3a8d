import type { RoomHistory } from '@hypocaust/domain'
import { DAY_S, type Programme } from '@hypocaust/domain/facts'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Formats } from '../i18n/formats.ts'
import { useWords } from '../i18n/index.tsx'
import { type Scale, temperatureIn } from '../i18n/units.ts'
import { type Colours, useColours } from './colours.ts'
import { isLongSpan, LONG_SPAN_S } from './long-span.ts'
import { loweredIn } from './lowered.ts'
import { followFingers } from './touch.ts'

export interface ChartProps {
  history: RoomHistory
  bandK: number
  programme: Programme | null
  timeZone: string
  showsHumidity: boolean
  cursor: number | null
  onCursor(index: number | null): void
  onZoom(fromS: number, toS: number): void
  onReset(): void
}

const YEAR_SPAN_S = 120 * DAY_S
const BAND_SHOWN_FROM_S = 600
/** A sensor that speaks every ten minutes leaves steps of five empty; only a longer silence is a gap. */
const SILENCE_S = 1800
const AXIS_PX = 40
/** Power is a floor at the bottom: full power fills a quarter of the height. */
const POWER_RANGE = 4

/** Comfort band, target, temperature, power as the floor, lowered times tinted, outdoors dotted. */
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

  const { history, bandK, programme, timeZone, showsHumidity } = props
  useEffect(() => {
    if (!place.current || width === 0) return
    const options = optionsFor({
      history,
      programme,
      timeZone,
      showsHumidity,
      width,
      colours,
      format,
      latest: () => latest.current,
    })
    const drawn = new uPlot(options, columnsOf(history, bandK, temperatureIn(format.unit)), place.current)
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
  }, [history, bandK, programme, timeZone, showsHumidity, width, colours, format])

  const { cursor } = props
  useEffect(() => {
    const { current } = chart
    const time = cursor === null ? undefined : history.times[cursor]
    if (!current || time === undefined) return
    const left = Math.round(current.valToPos(time, 'x'))
    if (Math.abs((current.cursor.left ?? -10) - left) > 1) current.setCursor({ left, top: 0 }, false)
  }, [cursor, history])

  return <div ref={place} aria-hidden="true" className="h-72 w-full overflow-hidden" />
}

function columnsOf(history: RoomHistory, bandK: number, { shown }: Scale): uPlot.AlignedData {
  const degrees = (values: (number | null)[], byK = 0) =>
    values.map((value) => (value === null ? null : shown(value + byK)))
  return [
    history.times,
    degrees(history.target, -bandK),
    degrees(history.target, bandK),
    degrees(history.temperature_min),
    degrees(history.temperature_max),
    history.power,
    degrees(history.outdoor),
    history.humidity,
    degrees(history.target),
    degrees(history.temperature),
  ]
}

interface Drawing {
  history: RoomHistory
  programme: Programme | null
  timeZone: string
  showsHumidity: boolean
  width: number
  colours: Colours
  format: Formats
  latest(): ChartProps
}

function optionsFor({
  history,
  programme,
  timeZone,
  showsHumidity,
  width,
  colours,
  format,
  latest,
}: Drawing): uPlot.Options {
  const stepped = uPlot.paths.stepped?.({ align: 1 })
  const silenceS = Math.max(SILENCE_S, 2 * history.step_s)
  const gaps: uPlot.Series.GapsRefiner = (chart, _series, _from, _to, found) =>
    found.filter(([left, right]) => chart.posToVal(right, 'x', true) - chart.posToVal(left, 'x', true) > silenceS)
  const edge = { stroke: 'transparent', points: { show: false }, gaps }
  const line = (more: Partial<uPlot.Series>): uPlot.Series => ({ points: { show: false }, gaps, ...more })
  const isLong = isLongSpan(history)
  const hasOutdoor = history.outdoor.some((value) => value !== null)
  const isRolledUp = history.step_s >= BAND_SHOWN_FROM_S
  const text = { stroke: colours.soft, font: `12px ${colours.font}`, ticks: { show: false } }
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
      y: { range: (_chart, low, high) => [Math.floor((low ?? 18) - 1), Math.ceil((high ?? 22) + 0.5)] },
    },
    axes: [
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
        values: (_chart, splits) => splits.map((value) => `${format.whole(value)}°`),
        incrs: [1, 2, 5, 10],
      },
      {
        ...text,
        show: hasOutdoor,
        scale: 'out',
        side: 1,
        size: AXIS_PX,
        stroke: colours.outdoor,
        grid: { show: false },
        incrs: [1, 2, 5, 10],
        values: (_chart, splits) => splits.map((value) => `${format.whole(value)}°`),
      },
    ],
    series: [
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
      line({ scale: 'out', stroke: colours.outdoor, width: 2, dash: [2, 4] }),
      line({ scale: 'humidity', stroke: colours.humid, width: 1.5, dash: [6, 3], show: showsHumidity }),
      line({
        stroke: isLong ? 'transparent' : colours.setpoint,
        width: 1.5,
        dash: [8, 4],
        ...(stepped && { paths: stepped }),
      }),
      line({ stroke: colours.ink, width: isLong ? 1.5 : 2.25 }),
    ],
    bands: [
      { series: [2, 1], fill: colours.band },
      { series: [4, 3], fill: colours.extremes },
    ],
    hooks: {
      drawClear: [(chart) => tintLowered(chart, programme, timeZone, colours.night)],
      draw: [(chart) => drawPowerScale(chart, colours, format)],
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

function tintLowered(chart: uPlot, programme: Programme | null, timeZone: string, colour: string): void {
  if (!programme) return
  const { min, max } = chart.scales.x ?? {}
  if (min === undefined || max === undefined || max - min > LONG_SPAN_S) return
  const { ctx, bbox } = chart
  ctx.save()
  ctx.fillStyle = colour
  for (const { fromS, toS } of loweredIn(programme, min, max, timeZone)) {
    const left = Math.max(bbox.left, chart.valToPos(fromS, 'x', true))
    const right = Math.min(bbox.left + bbox.width, chart.valToPos(toS, 'x', true))
    ctx.fillRect(left, bbox.top, right - left, bbox.height)
  }
  ctx.restore()
}
