import type { Notifications, TestResult } from '@hypocaust/domain'
import { NOTIFIED_KINDS, type NotifiedKind } from '@hypocaust/domain/alert-kinds'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { pushAbility, subscriptionHere, switchPushOff, switchPushOn } from '../api/push.ts'
import { notificationsQuery, queryClient, sessionQuery } from '../api/queries.ts'
import { useCommonZone } from '../api/zone.ts'
import { useWords } from '../i18n/index.tsx'
import { Awaited } from '../ui/awaited.tsx'
import { Button, Column, Columns, PageTitle, Problem, Section, Skeleton } from '../ui/basics.tsx'
import { Switch } from '../ui/controls.tsx'
import { deviceInWords } from '../ui/device.ts'
import { useDeed } from '../ui/form.ts'

const keep = (next: Notifications) => queryClient.setQueryData(notificationsQuery.queryKey, next)

export default function NotificationsPage() {
  const { t } = useWords()
  const notifications = useQuery(notificationsQuery)
  const { data } = notifications
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/settings' }}>{t('notify.title')}</PageTitle>
      <Awaited of={[notifications]}>
        <Skeleton className="h-64" />
      </Awaited>
      {data && (
        <Columns>
          <Column>
            <Devices notifications={data} />
            <Mail notifications={data} />
            <Test />
          </Column>
          <Column>
            <Kinds notifications={data} />
          </Column>
        </Columns>
      )}
    </div>
  )
}

interface Props {
  notifications: Notifications
}

const HERE = ['push-here']

function Devices({ notifications: { devices, push_key } }: Props) {
  const { t, language } = useWords()
  const { isBusy, problem, run } = useDeed()
  const accountId = useQuery(sessionQuery).data?.account?.id ?? ''
  const here = useQuery({ queryKey: HERE, queryFn: async () => (await subscriptionHere())?.endpoint ?? null }).data
  const [ability, setAbility] = useState(pushAbility)
  const mine = devices.find(({ endpoint }) => endpoint === here)
  const others = devices.filter((device) => device !== mine)
  const switchTo = async (isOn: boolean) => {
    await run(async () => {
      if (isOn) keep(await switchPushOn(push_key, accountId, language))
      else await switchPushOff()
      if (!isOn && mine) keep(await api('DELETE', `/notifications/devices/${mine.id}`))
    })
    setAbility(pushAbility())
    await queryClient.invalidateQueries({ queryKey: HERE })
  }
  const remove = (id: string) => run(async () => keep(await api('DELETE', `/notifications/devices/${id}`)))
  return (
    <Section title={t('notify.devices')}>
      {ability === 'ready' ? (
        <Switch
          label={t('notify.here')}
          hint={t('notify.here_hint')}
          checked={mine !== undefined}
          onChange={(isOn) => void switchTo(isOn)}
        />
      ) : (
        <p className="text-soft">{t(`push.${ability}`)}</p>
      )}
      {problem && <Problem>{t('notify.not_switched')}</Problem>}
      {others.length > 0 && (
        <ul className="divide-y divide-line">
          {others.map((device) => (
            <OtherDevice key={device.id} device={device} isBusy={isBusy} onRemove={() => void remove(device.id)} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function OtherDevice(props: { device: Notifications['devices'][number]; isBusy: boolean; onRemove(): void }) {
  const { t, format } = useWords()
  const zone = useCommonZone()
  const { user_agent, created } = props.device
  return (
    <li className="flex items-center justify-between gap-3 py-2">
      <div>
        <p className="font-medium">{deviceInWords(user_agent, t)}</p>
        <p className="text-sm text-soft">{t('notify.added', { date: format.date(Date.parse(created), zone) })}</p>
      </div>
      <Button onClick={props.onRemove} disabled={props.isBusy}>
        {t('notify.remove')}
      </Button>
    </li>
  )
}

/** A change shows at once, and goes back when it was not taken. */
function useChoice({ mail, muted }: Notifications) {
  const { language } = useWords()
  const deed = useDeed()
  const choose = async (change: Partial<Pick<Notifications, 'mail' | 'muted' | 'monthly'>>) => {
    const before = queryClient.getQueryData(notificationsQuery.queryKey)
    if (before) keep({ ...before, ...change })
    const choice = { mail, muted, language, ...change }
    const isTaken = await deed.run(async () => keep(await api('PUT', '/notifications', choice)))
    if (!isTaken && before) keep(before)
  }
  return { ...deed, choose }
}

function Mail({ notifications }: Props) {
  const { t } = useWords()
  const { problem, choose } = useChoice(notifications)
  const { mail, mail_possible, address, monthly } = notifications
  return (
    <Section title={t('notify.mail')}>
      {mail_possible ? (
        <Switch
          label={t('notify.mail_on')}
          hint={address}
          checked={mail}
          onChange={(next) => void choose({ mail: next })}
        />
      ) : (
        <p className="text-soft">{t('notify.no_mail')}</p>
      )}
      {mail_possible && mail && (
        <Switch
          label={t('notify.monthly')}
          hint={t('notify.monthly_hint')}
          checked={monthly !== false}
          onChange={(next) => void choose({ monthly: next })}
        />
      )}
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}

const SUBJECTS = ['rooms', 'heat', 'devices'] as const

const SUBJECT_OF: Record<NotifiedKind, (typeof SUBJECTS)[number]> = {
  target_unreachable: 'rooms',
  mould_risk: 'rooms',
  close_blinds: 'rooms',
  sensors_swapped: 'rooms',
  model_broken: 'rooms',
  heat_source_failed: 'heat',
  valve_without_effect: 'heat',
  supply_too_cold: 'heat',
  loop_low_flow: 'heat',
  building_silent: 'devices',
  sensor_silent: 'devices',
  battery_low: 'devices',
  valve_silent: 'devices',
  valve_stays_on: 'devices',
  floor_probe_silent: 'devices',
  auto_off_unproven: 'devices',
  gateway_not_following: 'devices',
  two_agents: 'devices',
  disinfection_overdue: 'heat',
  cooling_left_on: 'heat',
}

function Kinds({ notifications }: Props) {
  const { t } = useWords()
  const { problem, choose } = useChoice(notifications)
  const { muted } = notifications
  return (
    <Section title={t('notify.kinds')}>
      {SUBJECTS.map((subject) => (
        <fieldset key={subject} className="space-y-2">
          <legend className="mb-1 text-sm text-soft">{t(`notify.subject_${subject}`)}</legend>
          {NOTIFIED_KINDS.filter((kind) => SUBJECT_OF[kind] === subject).map((kind) => (
            <Switch
              key={kind}
              label={t(`notify.about_${kind}`)}
              checked={!muted.includes(kind)}
              onChange={(isNotified) =>
                void choose({ muted: isNotified ? muted.filter((each) => each !== kind) : [...muted, kind] })
              }
            />
          ))}
        </fieldset>
      ))}
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}

function Test() {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [result, setResult] = useState<TestResult>()
  const send = () =>
    run(async () => {
      setResult(undefined)
      setResult(await api<TestResult>('POST', '/notifications/test'))
    })
  return (
    <Section title={t('notify.test')}>
      <p className="text-soft">{t('notify.test_text')}</p>
      {problem && <Problem>{problem}</Problem>}
      <Button icon="bell" onClick={send} disabled={isBusy}>
        {t('notify.send')}
      </Button>
      <div role="status">
        {result && (
          <>
            <p>{t(`test.push_${result.push}`)}</p>
            <p>{t(`test.mail_${result.mail}`)}</p>
          </>
        )}
      </div>
    </Section>
  )
}
