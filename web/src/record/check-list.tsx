import { useWords } from '../i18n/index.tsx'
import { Section } from '../ui/basics.tsx'
import { Icon } from '../ui/icon.tsx'
import { CHECKS, type Check } from './checks.ts'

/** What commissioning asks for, and what is still missing. */
export function CheckList({ missing }: { missing: Record<Check, string[]> }) {
  const { t } = useWords()
  const open = CHECKS.filter((check) => missing[check].length > 0).length
  return (
    <Section title={t('record.checks')}>
      <p role="status">{open === 0 ? t('record.complete') : t('record.open', { n: open })}</p>
      <ul className="space-y-2">
        {CHECKS.map((check) => (
          <li key={check} className="flex items-start gap-3 break-inside-avoid">
            <Icon
              name={missing[check].length === 0 ? 'check' : 'warning'}
              className={missing[check].length === 0 ? 'text-faint' : 'text-ink'}
            />
            <span className="min-w-0">
              {t(`record.check_${check}`)}
              <span className="block text-sm text-soft">
                {missing[check].length === 0
                  ? t('record.done')
                  : t('record.missing', { names: missing[check].join(', ') })}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
