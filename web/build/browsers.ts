/** The oldest browsers the website runs in; docs/website.md names them for people. */
export const BROWSERS = ['chrome107', 'edge107', 'firefox104', 'safari15.4', 'ios15.4']
