"""Every address of the service: admin, the API, its description, and the health lines."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

admin.site.site_header = admin.site.site_title = "Chronicle"
admin.site.index_title = "What was heard, decided, called and answered"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", include("interactions.api.urls")),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerView.as_view(url_name="schema"), name="docs"),
    path("", include("interactions.api.health")),
    path("", RedirectView.as_view(pattern_name="docs")),  # where the admin's "View site" leads
]

handler404 = "interactions.api.errors.not_found"
handler500 = "interactions.api.errors.server_error"
