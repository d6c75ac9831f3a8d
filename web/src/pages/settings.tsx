import { mayDo } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { api } from '../api/http.ts'
import { buildingsQuery, sessionQuery } from '../api/queries.ts'
import { signedOut } from '../api/signed-out.ts'
import { type Language, recalled, remember, type Unit, useWords } from '../i18n/index.tsx'
import { Button, Column, Columns, PageSkeleton, PageTitle, Problem, Section } from '../ui/basics.tsx'
import { Segmented } from '../ui/controls.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { useDeed } from '../ui/form.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { useInstall } from '../ui/install.ts'

/** Typed where the service runs. */
const TLS_COMMAND = 'hypocaust tls init'

export default function SettingsPage() {
  const { t } = useWords()
  const { data: buildings = [], isPending } = useQuery(buildingsQuery)
  const session = useQuery(sessionQuery).data
  const install = useInstall()
  const { isBusy, problem, run } = useDeed()
  const signOut = () =>
    run(async () => {
      await api('DELETE', '/session')
      await signedOut()
    })
  // Its entries would push the rest down when they come.
  if (isPending) return <PageSkeleton />
  return (
    <div className="space-y-4">
      <PageTitle>{t('nav.settings')}</PageTitle>
      <Columns>
        <Column>
          <nav aria-label={t('settings.pages')} className="card divide-y divide-line">
            <Entry
              to="/settings/notifications"
              icon="bell"
              title={t('notify.title')}
              text={t('settings.notifications')}
            />
            <Entry to="/settings/keys" icon="key" title={t('keys.title')} text={t('settings.keys')} />
            <Entry to="/settings/security" icon="door" title={t('security.title')} text={t('settings.security')} />
            {buildings.map(({ id, name, role }) => (
              <Fragment key={id}>
                {mayDo(role, 'set_up') && (
                  <Entry to={`/buildings/${id}/setup`} icon="house" title={name} text={t('settings.building')} />
                )}
                <Entry
                  to={`/buildings/${id}/members`}
                  icon="people"
                  title={t('members.title', { building: name })}
                  text={t('settings.members')}
                />
                {mayDo(role, 'change_log') && (
                  <Entry
                    to={`/buildings/${id}/changes`}
                    icon="clock"
                    title={t('log.title', { building: name })}
                    text={t('settings.changes')}
                  />
                )}
              </Fragment>
            ))}
            <Entry to="/buildings/new" icon="plus" title={t('welcome.add')} text={t('settings.add_building')} />
          </nav>
        </Column>
        <Column>
          <Section title={t('settings.look')}>
            <LanguageChoice />
            <ThemeChoice />
            <UnitChoice />
          </Section>
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
              <CopyField label={t('plain.remedy')} value={TLS_COMMAND} />
            </Section>
          )}
          <Section title={t('settings.account')}>
            <p className="break-words text-soft">
              {t('settings.signed_in_as', { email: session?.account?.email ?? '' })}
            </p>
            {problem && <Problem>{problem}</Problem>}
            <Button onClick={signOut} disabled={isBusy}>
              {t('settings.sign_out')}
            </Button>
          </Section>
        </Column>
      </Columns>
      <p className="text-center text-sm text-faint">{t('settings.version', { version: session?.version ?? '' })}</p>
    </div>
  )
}

function Entry({ to, icon, title, text }: { to: string; icon: IconName; title: string; text: string }) {
  return (
    <Link to={to} className="flex min-h-16 items-center gap-3 px-4 py-2 hover:bg-sunken">
      <Icon name={icon} className="text-faint" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{title}</span>
        <span className="block text-sm text-soft">{text}</span>
      </span>
      <Icon name="next" className="size-5 text-faint" />
    </Link>
  )
}

function LanguageChoice() {
  const { t, language, setLanguage } = useWords()
  return (
    <div className="space-y-1">
      <p className="font-medium">{t('settings.language')}</p>
      <Segmented<Language>
        label={t('settings.language')}
        value={language}
        choices={[
          { value: 'en', label: t('language.en') },
          { value: 'de', label: t('language.de') },
        ]}
        onChange={(next) => {
          setLanguage(next)
          void import('../api/push.ts').then(({ followLanguage }) => followLanguage(next)).catch(() => undefined)
        }}
      />
    </div>
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
