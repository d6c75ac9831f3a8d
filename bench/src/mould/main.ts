import { parseArgs } from 'node:util'
import { columns } from '../columns.ts'
import { drawRoom, type Winter, winterOf } from './winter.ts'

const USAGE = `npm run bench:mould -- [options]
  Warnings of mould in simulated rooms whose coldest surface is hidden, over a winter each, against what is true.
  --rooms N   (20)`

const DEFAULT_FACTOR = 0.7

const { values } = parseArgs({
  options: { rooms: { type: 'string', default: '20' }, help: { type: 'boolean', default: false } },
})
if (values.help) console.log(USAGE)
else report(Array.from({ length: Number(values.rooms) }, (_, number) => drawRoom(number)).map(withBoth))

/** With the factor that is assumed, and with the right one entered. */
function withBoth(room: ReturnType<typeof drawRoom>): Winter {
  return winterOf(room, [DEFAULT_FACTOR, room.factor])
}

function report(winters: Winter[]) {
  const whole = (value: number) => value.toFixed(0)
  const rows = winters.map(({ room, dampH, riskH, warnings }) => [
    String(room.number),
    room.factor.toFixed(2),
    whole(dampH),
    whole(riskH),
    ...warnings.flatMap(({ warnedH, rightH, count, falseCount }) => [
      ...[whole(warnedH), whole(rightH), String(count), String(falseCount)],
    ]),
  ])
  const head = [
    'room',
    'f_Rsi',
    'damp h',
    'risk h',
    ...Array(2).fill(['warned h', 'right h', 'warnings', 'false']).flat(),
  ]
  console.log(`hours of a winter; warnings with f_Rsi ${DEFAULT_FACTOR} assumed, then with the right one entered`)
  console.log(columns([head, ...rows]))
  const sum = (pick: (winter: Winter) => number) => winters.reduce((total, winter) => total + pick(winter), 0)
  for (const [i, name] of ['assumed', 'entered'].entries()) {
    const of = (pick: (warning: Winter['warnings'][number]) => number) =>
      sum(({ warnings }) => pick(warnings[i] as Winter['warnings'][number]))
    const risk = sum(({ riskH }) => riskH)
    console.log(
      `${name}: ${whole((100 * of(({ rightH }) => rightH)) / risk)} % of ${whole(risk)} hours at risk warned of, ` +
        `${whole(of(({ warnedH, rightH }) => warnedH - rightH))} hours warned of without, ` +
        `${(of(({ falseCount }) => falseCount) / winters.length).toFixed(2)} false warnings a room and winter`,
    )
  }
}
