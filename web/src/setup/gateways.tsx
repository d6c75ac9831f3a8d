import type { AppBuilding, GatewayEntry, Pairing } from '@hypocaust/domain'
import { NAME_MAX_LENGTH } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { gatewaysQuery, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem, Section, Summary } from '../ui/basics.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DoneRow } from '../ui/done-row.tsx'
import { ForExperts } from '../ui/experts.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { Picture } from '../ui/picture.tsx'

/** The box in the cellar: paired with a code, seen or not, and taken away by name. */
export function Gateways({ building, gateways }: { building: AppBuilding; gateways: GatewayEntry[] }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [pairing, setPairing] = useState<Pairing>()
  const [removing, setRemoving] = useState<GatewayEntry>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: gatewaysQuery(building.id).queryKey })
  const [isMore, setMore] = useState(false)
  const isAdding = gateways.length === 0 || isMore
  const add = (name: string) =>
    run(async () => {
      setPairing(await api<Pairing>('POST', `/buildings/${building.id}/gateways`, { name }))
      setMore(false)
      await refresh()
    })
  const renew = (id: string) => run(async () => setPairing(await api<Pairing>('POST', `/gateways/${id}/pairing`)))
  const paired = gateways.find(({ id }) => id === pairing?.gateway_id)
  return (
    <Section title={t('gateways.title')}>
      <p className="text-sm text-soft">{t('gateways.text')}</p>
      <WhatToBuy isOpen={gateways.length === 0} />
      <ul className="divide-y divide-line">
        {gateways.map((gateway) => (
          <li key={gateway.id} className="flex flex-wrap items-center justify-between gap-2 py-2">
            <GatewayFacts gateway={gateway} timeZone={building.timezone} />
            <span className="flex gap-2">
              <Button onClick={() => renew(gateway.id)} disabled={isBusy}>
                {t('gateways.pair')}
              </Button>
              <Button look="quiet" onClick={() => setRemoving(gateway)}>
                {t('gateways.remove')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {isAdding ? (
        <Form className="flex flex-wrap items-end gap-2" onSubmit={(values) => add(String(values.get('name')))}>
          <div className="min-w-40 flex-1">
            <Field
              label={t('gateways.name')}
              name="name"
              required
              maxLength={NAME_MAX_LENGTH}
              {...(gateways.length === 0 && { defaultValue: t('gateways.name_example') })}
            />
          </div>
          <Button type="submit" look="main" icon="plus" disabled={isBusy}>
            {t('gateways.add')}
          </Button>
        </Form>
      ) : (
        <Button icon="plus" onClick={() => setMore(true)}>
          {t('gateways.more')}
        </Button>
      )}
      {problem && <Problem>{problem}</Problem>}
      {pairing && (
        <PairingDialog
          pairing={pairing}
          gateway={paired}
          timeZone={building.timezone}
          onClose={() => setPairing(undefined)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={t('gateways.remove_title', { gateway: removing.name })}
          text={t('gateways.remove_text')}
          action={t('gateways.remove_deed')}
          onConfirm={async () => {
            await api('DELETE', `/gateways/${removing.id}`)
            await refresh()
          }}
          onDone={() => setRemoving(undefined)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Section>
  )
}

const LISTS = ['small', 'usual', 'large'] as const

/** What a gateway is made of, as in docs/hardware.md. */
function WhatToBuy({ isOpen }: { isOpen: boolean }) {
  const { t } = useWords()
  return (
    <details className="group" open={isOpen}>
      <Summary>{t('buy.title')}</Summary>
      <dl className="space-y-3 text-sm">
        {LISTS.map((list) => (
          <div key={list}>
            <dt className="font-medium">{t(`buy.${list}`)}</dt>
            <dd className="text-soft">{t(`buy.${list}_list`)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-soft">{t('buy.then')}</p>
    </details>
  )
}

function GatewayFacts({ gateway, timeZone }: { gateway: GatewayEntry; timeZone: string }) {
  const { t, format } = useWords()
  const now = useNow()
  const { last_seen: lastSeen, is_paired: isPaired } = gateway
  const seen = lastSeen !== null && t('gateways.seen', { time: format.since(Date.parse(lastSeen), now, timeZone) })
  return (
    <div>
      <p className="font-medium">{gateway.name}</p>
      <p className="text-sm text-soft">{seen || t(isPaired ? 'gateways.paired' : 'gateways.waiting')}</p>
      <AutoOff relays={gateway.relays} />
      {gateway.other_agent !== null && (
        <p className="text-sm">{t('gateways.other_agent', { host: gateway.other_agent })}</p>
      )}
      {HELD.map((reason) => {
        const channels = gateway.relays.filter(({ held }) => held === reason).map(({ channel }) => channel)
        return (
          channels.length > 0 && (
            <p key={reason} className="text-sm">
              {t(`gateways.held_${reason}`, { channels: channels.join(', ') })}
            </p>
          )
        )
      })}
    </div>
  )
}

const HELD = [
  'no_floor_probe',
  'auto_off_unproven',
  'floor_limit',
  'dew_point',
  'humidity_unknown',
  'supply_unknown',
] as const

/** Which relays are known to switch off by themselves when no command comes any more. */
function AutoOff({ relays }: { relays: GatewayEntry['relays'] }) {
  const { t } = useWords()
  const channelsWith = (state: GatewayEntry['relays'][number]['auto_off']) =>
    relays.filter(({ auto_off }) => auto_off === state).map(({ channel }) => channel)
  return (['proven', 'unproven', 'none'] as const).map((state) => {
    const channels = channelsWith(state)
    if (channels.length === 0) return null
    return (
      <p key={state} className="text-sm text-soft">
        {t(`gateways.auto_off_${state}`, { channels: channels.join(', ') })}
      </p>
    )
  })
}

function PairingDialog({
  pairing,
  gateway,
  timeZone,
  onClose,
}: {
  pairing: Pairing
  gateway: GatewayEntry | undefined
  timeZone: string
  onClose(): void
}) {
  const { t, format } = useWords()
  return (
    <Dialog title={t('pairing.title')} onClose={onClose}>
      <p>{t('pairing.text', { time: format.clock(Date.parse(pairing.expires_at), timeZone) })}</p>
      <p className="text-center font-mono text-4xl font-semibold tracking-wider">{pairing.code}</p>
      <Picture svg={pairing.qr} label={t('pairing.qr')} />
      <ForExperts>
        <CopyField label={t('pairing.command')} value={pairing.command} />
        {isOnlyHere(pairing.command) && <p className="text-sm">{t('pairing.only_here')}</p>}
      </ForExperts>
      <p role="status" className="text-soft">
        {t(gateway?.last_seen ? 'pairing.alive' : gateway?.is_paired ? 'gateways.paired' : 'pairing.waiting')}
      </p>
      <DoneRow onClose={onClose} />
    </Dialog>
  )
}

/** The service listens on no address that another machine could use. */
const isOnlyHere = (command: string): boolean => /\/\/(localhost|127\.|\[::1\])/.test(command)
