import type { MatterStanding } from '@hypocaust/domain'
import { useWords } from '../i18n/index.tsx'
import { Section } from '../ui/basics.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ForExperts } from '../ui/experts.tsx'
import { Picture } from '../ui/picture.tsx'

/** The rooms in the apps of phones and speakers: the code to pair with, who is paired, or what to run first. */
export function Matter({ standing }: { standing: MatterStanding }) {
  const { t } = useWords()
  return (
    <Section title={t('matter.title')}>
      <p className="text-sm text-soft">{t('matter.text')}</p>
      {standing.bridge ? (
        <Bridge bridge={standing.bridge} />
      ) : (
        <>
          <p>{t('matter.not_running')}</p>
          <ForExperts>
            <CopyField label={t('matter.run')} value={standing.command} />
          </ForExperts>
        </>
      )}
    </Section>
  )
}

function Bridge({ bridge: { controllers, pairing } }: { bridge: NonNullable<MatterStanding['bridge']> }) {
  const { t } = useWords()
  if (!pairing) {
    return (
      <>
        <p>{t('matter.paired', { n: controllers })}</p>
        <p className="text-sm text-soft">{t('matter.share')}</p>
      </>
    )
  }
  return (
    <>
      <p>{t('matter.pair')}</p>
      <p className="text-center font-mono text-3xl font-semibold tracking-wider">{pairing.code}</p>
      <Picture svg={pairing.qr} label={t('matter.qr')} />
    </>
  )
}
