// Opens another page in the place of this one.

export default function ({ data }) {
  openPage(data.href, { isInPlace: true });
}
