// Opens another page of the dashboard in place of this one, so that Back leads to what was before it. The parameters of
// the address go along.

/** @param {{ data: { page: string, parameters: Record<string, string> } }} call */
export default ({ data }) => {
  const next = new URL(data.page, location.href);
  next.search = location.search;
  for (const [name, value] of Object.entries(data.parameters)) next.searchParams.set(name, value);
  location.replace(next.href);
};
