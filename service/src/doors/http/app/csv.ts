import { type RoomHistory, timestampOf } from '@hypocaust/domain'

const COLUMNS = [
  'temperature',
  'temperature_min',
  'temperature_max',
  'humidity',
  'target',
  'power',
  'outdoor',
] as const satisfies (keyof RoomHistory)[]

/** One line a step that has anything to tell; decimal points and UTC, whatever the reader's language. */
export function csvOf(history: RoomHistory): string {
  const lines = history.times.flatMap((time, i) => {
    const cells = COLUMNS.map((column) => history[column][i] ?? null)
    return cells.some((cell) => cell !== null)
      ? [[timestampOf(time * 1000), ...cells.map((c) => c ?? '')].join(',')]
      : []
  })
  return `${['time', ...COLUMNS].join(',')}\n${lines.map((line) => `${line}\n`).join('')}`
}
