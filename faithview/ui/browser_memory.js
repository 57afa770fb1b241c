// Keeps a short text in a cookie of this dashboard; an empty text removes the cookie.

/** @param {{ data: { name: string, text: string, days: number } }} call */
export default ({ data }) => {
  const life = data.text ? data.days * 86400 : 0;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${data.name}=${encodeURIComponent(data.text)}; Max-Age=${life}; Path=/; SameSite=Strict${secure}`;
};
