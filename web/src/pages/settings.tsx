import type { OverviewEntry } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { NewerRelease } from '../account/newer-release.tsx'
import { OwnName } from '../account/own-name.tsx'
import { api } from '../api/http.ts'
import { overviewQuery, sessionQuery } from '../api/queries.ts'
import { signedOut } from '../api/signed-out.ts'
import { isLongList } from '../buildings/long-list.ts'
import { type Language, type Unit, useWords } from '../i18n/index.tsx'
import { LANGUAGES, ownNameOf } from '../i18n/languages.ts'
import { recalled, remember } from '../i18n/recall.ts'
import { PageSkeleton } from '../ui/awaited.tsx'
import { Button, Column, Columns, PageTitle, Problem, Section } from '../ui/basics.tsx'
import { Chips } from '../ui/chips.tsx'
import { Segmented } from '../ui/controls.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { EntryLink } from '../ui/entry-link.tsx'
import { ForExperts } from '../ui/experts.tsx'
import { useDeed } from '../ui/form.ts'
import { useInstall } from '../ui/install.ts'
import { part } from '../ui/part.tsx'

const WhatsNew = part(() => import('../account/whats-new.tsx'))

/** Typed where the service runs. */
const TLS_COMMAND = 'hypocaust tls init'

export default function SettingsPage() {
  const { t } = useWords()
  const buildings = useQuery(overviewQuery).data
  const session = useQuery(sessionQuery).data
  const install = useInstall()
  const [isReading, setReading] = useState(false)
  const { isBusy, problem, run } = useDeed()
  const signOut = () =>
    run(async () => {
      await api('DELETE', '/session')
      await signedOut()
    })
  // Its entries would push the rest down when they come.
  if (!buildings) return <PageSkeleton />
  // Who is a guest everywhere came to use a few rooms: nothing of theirs needs a key, and no house is theirs to set up.
  const isGuest = buildings.length > 0 && buildings.every(({ role }) => role === 'guest')
  return (
    <div className="space-y-4">
      <PageTitle>{t('nav.settings')}</PageTitle>
      <Columns>
        <Column>
          <nav aria-label={t('settings.pages')} className="space-y-4">
            <Group title={t('settings.of_you')}>
              <EntryLink
                to="/settings/notifications"
                icon="bell"
                title={t('notify.title')}
                text={t('settings.notifications')}
              />
              <EntryLink
                to="/settings/security"
                icon="lock"
                title={t('security.title')}
                text={t('settings.security')}
              />
            </Group>
            <Group title={t('settings.of_buildings')}>
              {isLongList(buildings) ? (
                <EntryLink to="/" icon="house" title={t('list.label')} text={t('settings.buildings')} />
              ) : (
                buildings.map((building) => <BuildingEntries key={building.id} {...building} />)
              )}
              {!isGuest && (
                <EntryLink to="/buildings/new" icon="plus" title={t('welcome.add')} text={t('settings.add_building')} />
              )}
            </Group>
            <Group title={t('settings.of_programs')}>
              <EntryLink to="/settings/apps" icon="apps" title={t('apps.title')} text={t('settings.apps')} />
              {!isGuest && (
                <EntryLink to="/settings/keys" icon="key" title={t('keys.title')} text={t('settings.keys')} />
              )}
              {!isGuest && (
                <EntryLink
                  to="/settings/webhooks"
                  icon="signal"
                  title={t('webhooks.title')}
                  text={t('settings.webhooks')}
                />
              )}
            </Group>
          </nav>
        </Column>
        <Column>
          <Section title={t('settings.look')}>
            <LanguageChoice />
            <ThemeChoice />
            <UnitChoice />
          </Section>
          {!isGuest && <NewerRelease />}
          {install && (
            <Section title={t('install.title')}>
              <p className="text-soft">{t('install.text')}</p>
              <Button icon="download" onClick={install}>
                {t('install.install')}
              </Button>
            </Section>
          )}
          {!window.isSecureContext && (
            <Section title={t('plain.title')}>
              <p className="text-soft">{t('plain.text')}</p>
              <ForExperts>
                <CopyField label={t('plain.remedy')} value={TLS_COMMAND} />
              </ForExperts>
            </Section>
          )}
          <Section title={t('settings.account')}>
            {session?.account && <OwnName {...session.account} />}
            {problem && <Problem>{problem}</Problem>}
            <Button onClick={signOut} disabled={isBusy}>
              {t('settings.sign_out')}
            </Button>
          </Section>
        </Column>
      </Columns>
      <p className="flex flex-wrap items-center justify-center gap-x-4 text-sm text-faint">
        {t('settings.version', { version: session?.version ?? '' })}
        <button
          type="button"
          className="min-h-11 underline underline-offset-2 hover:text-ink"
          onClick={() => setReading(true)}
        >
          {t('news.title')}
        </button>
      </p>
      {isReading && <WhatsNew onClose={() => setReading(false)} />}
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="pb-1.5 text-sm font-semibold text-soft">{title}</h2>
      <div className="card divide-y divide-line">{children}</div>
    </section>
  )
}

function BuildingEntries({ id, name, role }: OverviewEntry) {
  const { t } = useWords()
  return (
    <>
      {mayDo(role, 'set_up') && (
        <EntryLink to={`/buildings/${id}/setup`} icon="house" title={name} text={t('settings.building')} />
      )}
      <EntryLink
        to={`/buildings/${id}/members`}
        icon="people"
        title={t('members.title', { building: name })}
        text={t('settings.members')}
      />
      {mayDo(role, 'change_log') && (
        <EntryLink
          to={`/buildings/${id}/changes`}
          icon="clock"
          title={t('log.title', { building: name })}
          text={t('settings.changes')}
        />
      )}
    </>
  )
}

function LanguageChoice() {
  const { t, language, setLanguage } = useWords()
  return (
    <Chips<Language>
      label={t('settings.language')}
      value={language}
      choices={LANGUAGES.map((value) => ({ value, label: ownNameOf(value) }))}
      onChange={(next) => {
        setLanguage(next)
        void import('../api/push.ts').then(({ followLanguage }) => followLanguage(next)).catch(() => undefined)
      }}
    />
  )
}

type Theme = 'system' | 'light' | 'dark'

function ThemeChoice() {
  const { t } = useWords()
  const [theme, setTheme] = useState<Theme>(() => (recalled('theme') as Theme | undefined) ?? 'system')
  const choose = (next: Theme) => {
    setTheme(next)
    remember('theme', next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
  }
  return (
    <div className="space-y-1">
      <p className="font-medium">{t('settings.theme')}</p>
      <Segmented<Theme>
        label={t('settings.theme')}
        value={theme}
        choices={[
          { value: 'system', label: t('theme.system') },
          { value: 'light', label: t('theme.light') },
          { value: 'dark', label: t('theme.dark') },
        ]}
        onChange={choose}
      />
    </div>
  )
}

function UnitChoice() {
  const { t, format, setUnit } = useWords()
  return (
    <div className="space-y-1">
      <p className="font-medium">{t('settings.unit')}</p>
      <Segmented<Unit>
        label={t('settings.unit')}
        value={format.unit}
        choices={[
          { value: 'C', label: t('unit.c') },
          { value: 'F', label: t('unit.f') },
        ]}
        onChange={setUnit}
      />
    </div>
  )
}
