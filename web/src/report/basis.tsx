import type { AppBuilding, HouseReport } from '@hypocaust/domain'
import { useWords } from '../i18n/index.tsx'
import { useDated } from '../record/dated.ts'
import { Link } from '../routing/link.tsx'
import { Section } from '../ui/basics.tsx'
import { Icon } from '../ui/icon.tsx'

interface Props {
  building: AppBuilding
  report: Pick<HouseReport, 'days' | 'until' | 'outdoor_temperature'>
}

/** What a report was worked out from. */
export function Basis({ building, report: { days, until, outdoor_temperature } }: Props) {
  const { t, format } = useWords()
  const dated = useDated()
  if (until === null) return <p className="text-soft">{t('house_report.none')}</p>
  return (
    <p className="text-soft">
      {t('house_report.basis', {
        days: t('unit.days', { n: Math.round(days) }),
        time: dated(until, building.timezone),
        outdoor: format.degrees(outdoor_temperature),
      })}{' '}
      {t('house_report.ranges')}
    </p>
  )
}

/** Rooms that are missing, and why. */
export function LeftOut({ rooms }: { rooms: HouseReport['left_out'] }) {
  const { t } = useWords()
  if (rooms.length === 0) return null
  return (
    <Section title={t('house_report.left_out')}>
      <ul className="divide-y divide-line">
        {rooms.map(({ id, name, why }) => (
          <li key={id}>
            <Link
              to="/rooms/$roomId/settings"
              params={{ roomId: id }}
              className="flex min-h-11 items-center gap-3 hover:bg-sunken"
            >
              <span className="min-w-0 flex-1 break-words">
                {name}: {t(`house_report.left_out_${why}`)}
              </span>
              <Icon name="next" className="size-5 text-faint" />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
