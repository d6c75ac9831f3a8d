import type { GatewayEntry } from '@hypocaust/domain'
import { useWords } from '../i18n/index.tsx'

/** A loop by its number, and by its gateway where there are several. */
export function useLoopName(gateways: GatewayEntry[]): (loop: { gateway_id: string; channel: number }) => string {
  const { t } = useWords()
  return ({ gateway_id, channel }) => {
    const gateway = gateways.find(({ id }) => id === gateway_id)?.name ?? ''
    return gateways.length > 1 ? t('loops.of_gateway', { n: channel, gateway }) : t('loops.name', { n: channel })
  }
}
