/** The page on which a device takes the authority, in words. */
export interface AuthorityWords {
  lang: string
  title: string
  intro: string
  take: string
  compare: string
  after: string
  open: string
  names: string
  reach: string
  remove: string
  other: { lang: string; label: string }
  systems: { name: string; agent: RegExp; steps: string[] }[]
}

const AGENTS = {
  ios: /iPhone|iPad|iPod/,
  android: /Android/,
  windows: /Windows/,
  mac: /Macintosh/,
  linux: /^(?!.*Android).*Linux/,
}

const ENGLISH: AuthorityWords = {
  lang: 'en',
  title: 'Connect this device',
  intro:
    'Your heating vouches for itself with an authority of its own. Once this device knows it, everything between the two is encrypted, and the app can be installed. This takes a minute, once.',
  take: 'Download the authority',
  compare:
    'Before you trust it, compare these figures with those in the terminal (hypocaust tls show). They have to be the same.',
  after: 'When it is done',
  open: 'Open',
  names: 'By its name passkeys work too; by its number they cannot.',
  reach:
    'The authority can vouch for addresses in private networks and for the names it was made for, and for nothing else on the internet.',
  remove: 'To take it back, remove it in the same place.',
  other: { lang: 'de', label: 'Auf Deutsch' },
  systems: [
    {
      name: 'iPhone and iPad',
      agent: AGENTS.ios,
      steps: [
        'Open this page in Safari, tap “Download the authority”, and allow the profile.',
        'Settings › General › VPN & Device Management › Hypocaust › Install. “More Details” shows the figures to compare.',
        'Settings › General › About › Certificate Trust Settings: switch Hypocaust on.',
      ],
    },
    {
      name: 'Android',
      agent: AGENTS.android,
      steps: [
        'Tap “Download the authority” and keep the file.',
        'In Settings search for “CA certificate”, or: Security & privacy › More security settings › Encryption & credentials › Install a certificate › CA certificate.',
        'Choose “Install anyway” and the file authority.crt. “User credentials” or “Trusted credentials › User” shows the figures to compare.',
      ],
    },
    {
      name: 'Windows',
      agent: AGENTS.windows,
      steps: [
        'Download the authority and open the file. “Details” shows it; compare the figures first.',
        'Install certificate › Current user › Place all certificates in the following store › Trusted Root Certification Authorities.',
      ],
    },
    {
      name: 'Mac',
      agent: AGENTS.mac,
      steps: [
        'Download the authority and open the file; it appears in Keychain Access.',
        'Double-click it there, compare the figures, open “Trust” and choose “Always Trust”.',
      ],
    },
    {
      name: 'Linux, and Firefox everywhere',
      agent: AGENTS.linux,
      steps: [
        'Firefox: Settings › Privacy & Security › View Certificates › Authorities › Import; tick “identify websites”.',
        'Chromium and Chrome: Settings › Privacy and security › Security › Manage certificates › Import.',
      ],
    },
  ],
}

const GERMAN: AuthorityWords = {
  lang: 'de',
  title: 'Dieses Gerät verbinden',
  intro:
    'Deine Heizung weist sich mit einer eigenen Zertifizierungsstelle aus. Sobald dieses Gerät sie kennt, ist alles zwischen beiden verschlüsselt, und die App lässt sich installieren. Das dauert eine Minute, einmal.',
  take: 'Zertifikat herunterladen',
  compare:
    'Vergleiche diese Zeichen mit denen im Terminal (hypocaust tls show), bevor du vertraust. Sie müssen gleich sein.',
  after: 'Wenn es getan ist',
  open: 'Öffnen:',
  names: 'Über den Namen gehen auch Passkeys; über die Nummer können sie es nicht.',
  reach:
    'Die Zertifizierungsstelle kann nur für Adressen in privaten Netzen und für die Namen bürgen, für die sie gemacht wurde, sonst für nichts im Internet.',
  remove: 'Zurücknehmen lässt es sich an derselben Stelle.',
  other: { lang: 'en', label: 'In English' },
  systems: [
    {
      name: 'iPhone und iPad',
      agent: AGENTS.ios,
      steps: [
        'Diese Seite in Safari öffnen, „Zertifikat herunterladen“ antippen und das Profil erlauben.',
        'Einstellungen › Allgemein › VPN und Geräteverwaltung › Hypocaust › Installieren. „Mehr Details“ zeigt die Zeichen zum Vergleichen.',
        'Einstellungen › Allgemein › Info › Zertifikatsvertrauenseinstellungen: Hypocaust einschalten.',
      ],
    },
    {
      name: 'Android',
      agent: AGENTS.android,
      steps: [
        '„Zertifikat herunterladen“ antippen und die Datei behalten.',
        'In den Einstellungen nach „CA-Zertifikat“ suchen, oder: Sicherheit & Datenschutz › Weitere Sicherheitseinstellungen › Verschlüsselung & Anmeldedaten › Zertifikat installieren › CA-Zertifikat.',
        '„Trotzdem installieren“ und die Datei authority.crt wählen. „Nutzeranmeldedaten“ oder „Vertrauenswürdige Anmeldedaten › Nutzer“ zeigt die Zeichen zum Vergleichen.',
      ],
    },
    {
      name: 'Windows',
      agent: AGENTS.windows,
      steps: [
        'Das Zertifikat herunterladen und die Datei öffnen. Unter „Details“ zuerst die Zeichen vergleichen.',
        'Zertifikat installieren › Aktueller Benutzer › Alle Zertifikate in folgendem Speicher speichern › Vertrauenswürdige Stammzertifizierungsstellen.',
      ],
    },
    {
      name: 'Mac',
      agent: AGENTS.mac,
      steps: [
        'Das Zertifikat herunterladen und die Datei öffnen; es erscheint in der Schlüsselbundverwaltung.',
        'Dort doppelklicken, die Zeichen vergleichen, „Vertrauen“ öffnen und „Immer vertrauen“ wählen.',
      ],
    },
    {
      name: 'Linux, und Firefox überall',
      agent: AGENTS.linux,
      steps: [
        'Firefox: Einstellungen › Datenschutz & Sicherheit › Zertifikate anzeigen › Zertifizierungsstellen › Importieren; „Websites identifizieren“ ankreuzen.',
        'Chromium und Chrome: Einstellungen › Datenschutz und Sicherheit › Sicherheit › Zertifikate verwalten › Importieren.',
      ],
    },
  ],
}

/** By what a browser says it prefers, or by what was chosen on the page. */
export function wordsFor(language: string): AuthorityWords {
  const preferred = language
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().slice(0, 2))
    .find((tag) => tag === 'de' || tag === 'en')
  return preferred === 'de' ? GERMAN : ENGLISH
}
