import type { AppBuilding } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { Link } from '../routing/link.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'

/** Everything else of a building, one tap away. */
export function BuildingPages({ building: { id, role } }: { building: AppBuilding }) {
  const { t } = useWords()
  const path = `/buildings/${id}`
  return (
    <nav
      aria-label={t('building.pages')}
      className="mt-6 max-sm:divide-y max-sm:divide-line max-sm:rounded-card max-sm:border max-sm:border-line max-sm:bg-raised sm:grid sm:grid-cols-[repeat(auto-fill,minmax(16rem,1fr))] sm:gap-3"
    >
      <Page to={`${path}/energy`} icon="flame" title={t('building.energy')} text={t('heat.text')} />
      <Page to={`${path}/members`} icon="people" title={t('building.members')} text={t('settings.members')} />
      {mayDo(role, 'away') && (
        <Page to={`${path}/presence`} icon="door" title={t('building.presence')} text={t('presence.text')} />
      )}
      {mayDo(role, 'plan') && (
        <Page to={`${path}/calendars`} icon="calendar" title={t('building.calendars')} text={t('calendars.text')} />
      )}
      {mayDo(role, 'change_log') && (
        <Page to={`${path}/changes`} icon="clock" title={t('building.changes')} text={t('settings.changes')} />
      )}
      {mayDo(role, 'set_up') && (
        <Page to={`${path}/setup`} icon="house" title={t('building.setup')} text={t('settings.building')} />
      )}
      {mayDo(role, 'set_up') && (
        <Page to={`${path}/settings`} icon="gear" title={t('building.settings')} text={t('building_settings.text')} />
      )}
      {mayDo(role, 'set_up') && (
        <Page to={`${path}/record`} icon="check" title={t('building.record')} text={t('record.text')} />
      )}
      {mayDo(role, 'set_up') && (
        <Page
          to={`${path}/house-report`}
          icon="page"
          title={t('building.house_report')}
          text={t('house_report.text')}
        />
      )}
    </nav>
  )
}

function Page({ to, icon, title, text }: { to: string; icon: IconName; title: string; text: string }) {
  return (
    <Link
      to={to}
      className="flex min-h-16 items-center gap-3 px-4 py-3 hover:bg-sunken sm:rounded-card sm:border sm:border-line sm:not-hover:bg-raised"
    >
      <Icon name={icon} className="text-soft" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{title}</span>
        <span className="block text-sm text-soft">{text}</span>
      </span>
      <Icon name="next" className="size-5 text-faint sm:hidden" />
    </Link>
  )
}
