import { useWords } from '../i18n/index.tsx'

/** Temperatures are the typography: tabular digits, one decimal, a real minus sign, the unit small. */
export function Degrees({ celsius, className = '' }: { celsius: number | null; className?: string }) {
  const { t, format } = useWords()
  if (celsius === null) {
    return (
      <span className={`degrees ${className}`}>
        <span aria-hidden="true">–</span>
        <span className="sr-only">{t('temperature.unknown')}</span>
      </span>
    )
  }
  return (
    <span className={`degrees ${className}`}>
      {format.degrees(celsius)}
      <span className="text-[0.55em] font-normal align-[0.5em]">{t('unit.degree')}</span>
    </span>
  )
}
