/** An e-mail address, or a phone number of mainland China. */
export const PERSONAL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<!\d)(?:\+?86[ -]?)?1[3-9]\d{9}(?!\d)/;
