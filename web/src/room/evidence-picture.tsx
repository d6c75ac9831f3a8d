import type { RoomDiagnosis } from '@hypocaust/domain'
import { useWords } from '../i18n/index.tsx'
import { HEIGHT, pathOf, WIDTH } from './evidence-path.ts'

type Evidence = RoomDiagnosis['evidence']

const LINES = [
  { name: 'healthy', className: 'stroke-faint', dash: '2 4' },
  { name: 'with_cause', className: 'stroke-warm-ink', dash: '8 4' },
  { name: 'measured', className: 'stroke-ink', dash: undefined },
] as const

/** What was measured beside what was to be expected. */
export function EvidencePicture({ evidence, timeZone }: { evidence: Evidence; timeZone: string }) {
  const { t, format } = useWords()
  const lines = LINES.filter(({ name }) => evidence[name].length > 0)
  const known = lines.flatMap(({ name }) => evidence[name].filter((value) => value !== null))
  if (known.length === 0) return null
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const fromMs = Date.parse(evidence.from)
  const toMs = fromMs + 1000 * evidence.step_s * evidence.measured.length
  const label = t('diagnosis.picture', {
    from: format.date(fromMs, timeZone),
    to: format.date(toMs, timeZone),
    least: format.degrees(least),
    most: format.degrees(most),
  })
  return (
    <figure className="space-y-1">
      <figcaption className="text-sm text-soft">{label}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-40 w-full"
        role="img"
        aria-label={label}
      >
        {lines.map(({ name, className, dash }) => (
          <path
            key={name}
            d={pathOf(evidence[name], least, most)}
            className={`fill-none ${className}`}
            strokeWidth={2}
            strokeDasharray={dash}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <ul className="flex flex-wrap gap-x-4 text-sm">
        {lines.map(({ name, className, dash }) => (
          <li key={name} className="flex items-center gap-1">
            <svg viewBox="0 0 24 4" className="h-1 w-6" aria-hidden="true">
              <path d="M0 2h24" className={className} strokeWidth={2} strokeDasharray={dash} />
            </svg>
            {t(`diagnosis.${name}`)}
          </li>
        ))}
      </ul>
    </figure>
  )
}
