/** A time of day as people type it: 5:30, 0530, 530 or 5. Undefined where it is none. */
export function clockIn(text: string): string | undefined {
  const [, hours = '', minutes = '0'] = /^(\d{1,2})(?:[:.]?(\d{2}))?$/.exec(text.trim()) ?? []
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) return undefined
  return `${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`
}

/** Later or earlier, around midnight. */
export function clockPlus(clock: string, byMinutes: number): string {
  const minute = (Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5)) + byMinutes + 1440) % 1440
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
