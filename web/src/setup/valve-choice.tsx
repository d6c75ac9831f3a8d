import type { AppBuilding, GatewayEntry, ValveRef } from '@hypocaust/domain'
import { useWords } from '../i18n/index.tsx'

const CHANNELS_UNTIL_TOLD = 8

interface Props {
  building: AppBuilding
  gateways: GatewayEntry[]
  /** The room the valves are for; a valve of another room says whose it is. */
  roomId?: string
  value: ValveRef[]
  onChange(valves: ValveRef[]): void
}

/** Which outputs of which gateway open the floor of this room. */
export function ValveChoice({ building, gateways, roomId, value, onChange }: Props) {
  const { t } = useWords()
  const isChosen = (valve: ValveRef) => value.some((other) => isSame(valve, other))
  const toggle = (valve: ValveRef) =>
    onChange(isChosen(valve) ? value.filter((other) => !isSame(valve, other)) : [...value, valve])
  const ownerOf = (valve: ValveRef) =>
    building.rooms.find(({ id, valves }) => id !== roomId && valves.some((other) => isSame(valve, other)))
  return (
    <fieldset className="space-y-3">
      <legend className="text-sm font-medium">{t('valves.title')}</legend>
      <p className="text-sm text-soft">{t('valves.hint')}</p>
      {gateways.length === 0 && <p className="text-sm text-soft">{t('valves.no_gateway')}</p>}
      {gateways.map((gateway) => (
        <div key={gateway.id} className="space-y-1">
          <p className="text-sm text-soft">{t('valves.of', { gateway: gateway.name })}</p>
          <div className="flex flex-wrap gap-2">
            {Array.from({ length: gateway.channels || CHANNELS_UNTIL_TOLD }, (_, i) => {
              const valve = { gateway_id: gateway.id, channel: i + 1 }
              const owner = ownerOf(valve)
              return (
                <button
                  key={valve.channel}
                  type="button"
                  aria-pressed={isChosen(valve)}
                  onClick={() => toggle(valve)}
                  className="min-h-11 min-w-11 max-w-full rounded-xl border border-edge px-3 aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-on-accent"
                >
                  {owner ? t('valves.taken', { n: valve.channel, room: owner.name }) : valve.channel}
                </button>
              )
            })}
          </div>
        </div>
      ))}
    </fieldset>
  )
}

const isSame = (a: ValveRef, b: ValveRef): boolean => a.gateway_id === b.gateway_id && a.channel === b.channel
