import { useWords } from '../i18n/index.tsx'

/** Day with its year, and time, by the building's clock: a record is read years later. */
export function useDated(): (at: string | number, timeZone: string) => string {
  const { format } = useWords()
  return (at, timeZone) => {
    const atMs = typeof at === 'number' ? at : Date.parse(at)
    return `${format.date(atMs, timeZone)}, ${format.clock(atMs, timeZone)}`
  }
}
