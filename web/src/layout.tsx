import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFreshness } from './api/freshness.ts'
import { noticesQuery, overviewQuery, sessionQuery } from './api/queries.ts'
import { useCommonZone } from './api/zone.ts'
import { HouseClock } from './house-clock.tsx'
import { useWords } from './i18n/index.tsx'
import { Link } from './routing/link.tsx'
import { usePath } from './routing/route.ts'
import { Icon, type IconName } from './ui/icon.tsx'
import { Initial } from './ui/initial.tsx'
import { Toasts } from './ui/toast.tsx'

export function Layout({ children }: { children: ReactNode }) {
  const { t } = useWords()
  return (
    <div className="min-h-dvh pb-[calc(4.5rem+env(safe-area-inset-bottom))] lg:pb-0 lg:pl-52 print:p-0">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-20 focus:m-2 focus:rounded-lg focus:bg-raised focus:p-3"
      >
        {t('skip')}
      </a>
      <OldState />
      <PartsThatFailed />
      <main id="content" className="mx-auto w-full max-w-[70.5rem] px-4 pb-6 sm:px-6">
        <HouseClock />
        {children}
      </main>
      <Toasts />
      <Navigation />
    </div>
  )
}

/** Offline is said in words, with the time the state is from. */
function OldState() {
  const { t, format } = useWords()
  const freshness = useFreshness()
  const zone = useCommonZone()
  return (
    <div role="status">
      {freshness.kind === 'old' && (
        <p className="flex items-center justify-center gap-2 border-b border-line bg-sunken px-4 py-2 text-center text-sm">
          <Icon name="warning" className="size-5" />
          {freshness.asOf === null
            ? t('old.unknown')
            : t('old.since', { time: format.since(freshness.asOf, Date.now(), zone) })}
        </p>
      )}
    </div>
  )
}

/** Parts beside the service that do not run, as the agent of Home Assistant's app: the page goes on without them. */
function PartsThatFailed() {
  const { t, format } = useWords()
  const notices = useQuery(noticesQuery).data ?? []
  const zone = useCommonZone()
  return (
    <div role="status">
      {notices.map(({ kind, detail, since }) => (
        <div key={kind} className="border-b border-line bg-sunken px-4 py-2 text-center text-sm">
          <p>
            <Icon name="warning" className="mr-2 inline size-5" />
            {t(`notice.${kind}`)} {t('notice.since', { time: format.since(Date.parse(since), Date.now(), zone) })}
          </p>
          {detail && <p className="break-words text-soft">{detail}</p>}
        </div>
      ))}
    </div>
  )
}

function Navigation() {
  const { t } = useWords()
  const buildings = useQuery(overviewQuery).data ?? []
  const only = buildings.length === 1 ? buildings[0] : undefined
  const urgent = buildings.reduce((sum, building) => sum + building.urgent.length, 0)
  const reminders = buildings.reduce((sum, building) => sum + building.reminders, 0)
  const badge =
    urgent > 0
      ? { n: urgent, label: t('nav.alert_count', { n: urgent }), isUrgent: true }
      : { n: reminders, label: t('nav.reminder_count', { n: reminders }), isUrgent: false }
  return (
    <nav
      aria-label={t('nav.label')}
      className="fixed inset-x-0 bottom-0 z-10 print:hidden border-t border-line bg-raised pb-[env(safe-area-inset-bottom)] lg:inset-y-0 lg:right-auto lg:w-52 lg:border-r lg:border-t-0 lg:p-3"
    >
      <p className="hidden items-center gap-3 px-3 py-4 text-lg font-semibold lg:flex">
        <Mark />
        {t('product')}
      </p>
      <ul className="flex lg:flex-col lg:gap-1">
        <Entry to="/" icon="home" label={t('nav.home')} />
        {only && <Entry to={`/buildings/${only.id}/energy`} icon="flame" label={t('nav.heat')} />}
        <Entry to="/alerts" icon="bell" label={t('nav.alerts')} {...(badge.n > 0 && { badge })} />
        <Entry to="/settings" icon="gear" label={t('nav.settings')} />
      </ul>
      <Person />
    </nav>
  )
}

/** Warm air that rises through a floor. */
const Mark = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className="size-7" fill="none" strokeLinecap="round" strokeWidth="1.75">
    <path d="M7.5 10C5.5 8 5.5 6 7.5 4M12 10c-2-2-2-4 0-6M16.5 10c-2-2-2-4 0-6" stroke="var(--warm)" />
    <path d="M3.5 13.5h17M6 17v3.5M12 17v3.5M18 17v3.5" stroke="currentColor" strokeWidth="2.25" />
  </svg>
)

/** Who is signed in, at the foot of the navigation of a wide screen. */
function Person() {
  const name = useQuery(sessionQuery).data?.account?.name
  if (!name) return null
  return (
    <Link
      to="/settings"
      className="absolute inset-x-3 bottom-3 hidden min-h-11 items-center gap-3 rounded-xl px-3 text-sm text-soft hover:bg-sunken lg:flex"
    >
      <Initial name={name} />
      <span className="min-w-0 truncate">{name}</span>
    </Link>
  )
}

interface Badge {
  n: number
  label: string
  isUrgent: boolean
}

function Entry({ to, icon, label, badge }: { to: string; icon: IconName; label: string; badge?: Badge }) {
  const path = usePath()
  const isHere = path === to || (to !== '/' && path.startsWith(`${to}/`))
  return (
    <li className="flex-1">
      <Link
        to={to}
        aria-current={isHere ? 'page' : undefined}
        className={`flex min-h-16 flex-col items-center justify-center gap-0.5 text-xs text-soft lg:min-h-11 lg:flex-row lg:justify-start lg:gap-4 lg:rounded-xl lg:px-3 lg:text-base lg:hover:bg-sunken ${isHere ? 'font-semibold text-ink! lg:bg-sunken' : ''}`}
      >
        <span className="relative">
          <Icon name={icon} />
          {badge && (
            <span
              className={`absolute -right-2.5 -top-1.5 min-w-5 rounded-full px-1 text-center text-xs font-semibold leading-5 text-surface ${badge.isUrgent ? 'bg-alert' : 'bg-soft'}`}
              aria-hidden="true"
            >
              {badge.n}
            </span>
          )}
        </span>
        {label}
        {badge && <span className="sr-only">{badge.label}</span>}
      </Link>
    </li>
  )
}
